import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import {
  badRequest,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalid,
  invalidValue,
} from '../../machinery/errors/index.ts';
import { parseTime } from '../../machinery/values/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseIntQuery } from '../request/options.ts';
import { isTrue } from '../request/request-info.ts';
import { streamLog } from '../streaming/agent/index.ts';
import type { AgentAccess, FindAgent } from './agent-access.ts';
import { chooseContainer } from './choose-container.ts';
import { findObject } from './find-object.ts';

/** `pods/NAME/log`: what a container has written, as the agent of its node has it. */
export function podLogHandler(access: AgentAccess, findAgent: FindAgent): SubresourceHandler {
  return async (exchange, { served }) => {
    const { namespace, name } = exchange.info;
    const options = readLogOptions(exchange.query, name);
    const pod = (await findObject(exchange, served)) as Pod; // stored under this resource
    const container = chooseContainer(pod, options.container, { isForLog: true });
    const { nodeName } = pod.spec;
    if (!nodeName) return answerNothing(exchange);
    const backend = await findAgent(exchange, nodeName);
    const skips = options.skipsVerification && access.maySkipVerification;
    await streamLog(exchange, access.client, {
      backend: skips ? { ...backend, trust: 'agent-unverified' } : backend,
      target: `/containerLogs/${namespace}/${name}/${container}${options.query}`,
      resource: 'pods/log',
      name,
    });
  };
}

/** A pod without a node has written nothing. */
function answerNothing({ response, auditId }: Exchange): void {
  response.writeHead(204, { 'audit-id': auditId, 'cache-control': 'no-cache, private' });
  response.end();
}

/** What a client wants of a log. */
interface LogOptions {
  readonly container: string;
  readonly skipsVerification: boolean;
  /** The query for the agent, with the question mark; empty when nothing is asked for. */
  readonly query: string;
}

/**
 * Reads the options of `pods/NAME/log`.
 *
 * @throws StatusError 400 for texts that are no numbers or times, 422 for options that make no sense.
 */
function readLogOptions(query: URLSearchParams, podName: string): LogOptions {
  const numbers = {
    sinceSeconds: parseIntQuery(query, 'sinceSeconds'),
    tailLines: parseIntQuery(query, 'tailLines'),
    limitBytes: parseIntQuery(query, 'limitBytes'),
  };
  const sinceTime = readTime(query.get('sinceTime'));
  const errors = [...numberErrors(numbers), ...sinceErrors(numbers.sinceSeconds, sinceTime)];
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, podName, errors);
  const forAgent = new URLSearchParams();
  for (const name of ['follow', 'previous', 'timestamps']) {
    if (isTrue(query.get(name))) forAgent.set(name, 'true');
  }
  for (const [name, value] of Object.entries({ ...numbers, sinceTime })) {
    if (value !== undefined) forAgent.set(name, String(value));
  }
  forAgent.sort();
  const text = forAgent.toString();
  return {
    container: query.get('container') ?? '',
    skipsVerification: isTrue(query.get('insecureSkipTLSVerifyBackend')),
    query: text === '' ? '' : `?${text}`,
  };
}

function numberErrors({
  tailLines,
  limitBytes,
}: {
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}): FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidValue(fieldPath('tailLines'), tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidValue(fieldPath('limitBytes'), limitBytes, 'must be greater than 0'));
  }
  return errors;
}

function sinceErrors(sinceSeconds: number | undefined, sinceTime: string | undefined): FieldError[] {
  if (sinceSeconds === undefined) return [];
  if (sinceTime !== undefined) {
    const text = 'at most one of `sinceTime` or `sinceSeconds` may be specified';
    return [forbiddenField(fieldPath('[]'), text)]; // a path without a name, as Go prints it
  }
  if (sinceSeconds >= 1) return [];
  return [invalidValue(fieldPath('sinceSeconds'), sinceSeconds, 'must be greater than 0')];
}

/** A time in whole seconds, as the agent is told it. @throws StatusError 400 */
function readTime(text: string | null): string | undefined {
  if (text === null || text === '' || text === 'null') return undefined;
  try {
    return new Date(parseTime(text)).toISOString().replace(/\.\d+Z$/, 'Z');
  } catch (error) {
    throw badRequest(errorText(error));
  }
}
