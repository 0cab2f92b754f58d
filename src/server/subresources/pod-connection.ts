import type { Pod } from '../../apis/types/core-v1.ts';
import {
  badRequest,
  type FieldError,
  fieldPath,
  invalid,
  invalidValue,
} from '../../machinery/errors/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { parseIntQuery } from '../request/options.ts';
import { respond } from '../request/respond.ts';
import { findObject } from './find-object.ts';
import { noWayToAgent } from './no-agent.ts';

/** `pods/NAME/log`: a pod without a node has written nothing. */
export const handlePodLog: SubresourceHandler = async (exchange, endpoint) => {
  checkLogOptions(exchange.query);
  const pod = (await findObject(exchange, endpoint.served)) as Pod;
  checkContainer(pod, exchange.query.get('container') ?? '');
  if (pod.spec.nodeName) throw noWayToAgent('the log of a container');
  respond(exchange, { code: 204, contentType: 'text/plain', body: Buffer.alloc(0) });
};

/** `pods/NAME/exec`, `attach` and `portforward`. */
export const handlePodConnection: SubresourceHandler = async (exchange, endpoint, { name: subresource }) => {
  const pod = (await findObject(exchange, endpoint.served)) as Pod;
  if (subresource !== 'portforward') checkContainer(pod, exchange.query.get('container') ?? '');
  if (!pod.spec.nodeName) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  throw noWayToAgent(`${subresource} of a pod`);
};

/** @throws StatusError 400 when no container, or one that is not there, is meant. */
function checkContainer({ metadata, spec }: Pod, wanted: string): void {
  const namesOf = (containers: readonly { readonly name: string }[] | null | undefined) =>
    (containers ?? []).map(({ name }) => name);
  const names = namesOf(spec.containers);
  const initNames = namesOf(spec.initContainers);
  if (wanted === '') {
    if (names.length === 1) return;
    let text = `a container name must be specified for pod ${metadata.name}`;
    if (names.length > 0) text += `, choose one of: [${names.join(' ')}]`;
    if (names.length > 0 && initNames.length > 0)
      text += ` or one of the init containers: [${initNames.join(' ')}]`;
    throw badRequest(text);
  }
  const known = [...names, ...initNames, ...namesOf(spec.ephemeralContainers)];
  if (!known.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
}

/** @throws StatusError 422 for options that make no sense, 400 for texts that are no numbers. */
function checkLogOptions(query: URLSearchParams): void {
  const errors: FieldError[] = [];
  const tailLines = parseIntQuery(query, 'tailLines');
  const limitBytes = parseIntQuery(query, 'limitBytes');
  const sinceSeconds = parseIntQuery(query, 'sinceSeconds');
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidValue(fieldPath('tailLines'), tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidValue(fieldPath('limitBytes'), limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidValue(fieldPath('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  }
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, '', errors);
}
