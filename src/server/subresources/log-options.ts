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
import { parseIntQuery } from '../request/options.ts';
import { isTrue } from '../request/request-info.ts';

/** What a client wants of a log. */
export interface LogOptions {
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
export function readLogOptions(query: URLSearchParams, podName: string): LogOptions {
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
