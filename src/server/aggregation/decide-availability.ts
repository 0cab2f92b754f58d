import type { APIService, APIServiceCondition } from '../../apis/types/apiregistration-v1beta1.ts';
import type { Endpoints, Service } from '../../apis/types/core-v1.ts';

/** The objects that decide whether an API service could be called, as far as they exist. */
export interface Backend {
  readonly service: Service | undefined;
  readonly endpoints: Endpoints | undefined;
}

/** What a condition says, without its time. */
export type Finding = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

/**
 * The conditions that an APIService should have; undefined when it has them. The time of its condition moves only with
 * the condition's status.
 */
export function decideConditions(
  conditions: readonly APIServiceCondition[],
  found: Finding,
  now: string,
): APIServiceCondition[] | undefined {
  const current = conditions.find(({ type }) => type === 'Available');
  if (current === undefined) return [...conditions, { type: 'Available', lastTransitionTime: now, ...found }];
  if (
    current.status === found.status &&
    current.reason === found.reason &&
    current.message === found.message
  ) {
    return undefined;
  }
  const lastTransitionTime = current.status === found.status ? current.lastTransitionTime : now;
  return conditions.map((one) => (one === current ? { ...current, ...found, lastTransitionTime } : one));
}

/** What a call of the server says: `problem` is undefined when it answered. */
export const findingOfCall = (problem: string | undefined): Finding =>
  problem === undefined
    ? { status: 'True', reason: 'Passed', message: 'all checks passed' }
    : { status: 'False', reason: 'FailedDiscoveryCheck', message: problem };

/**
 * What the objects say of an APIService; undefined when the server must be called to know. Checks and words are those of
 * release 1.20.
 */
export function findAvailability(
  spec: APIService['spec'],
  { service, endpoints }: Backend,
): Finding | undefined {
  if (spec.service === undefined) {
    return { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };
  }
  const { name = '', namespace = '', port: wanted = 443 } = spec.service;
  const named = `service/${name} in ${JSON.stringify(namespace)}`;
  const fails = (reason: string, message: string): Finding => ({ status: 'False', reason, message });
  if (service === undefined) return fails('ServiceNotFound', `${named} is not present`);
  if (service.spec.type === 'ClusterIP') {
    const port = service.spec.ports?.find((one) => one.port === wanted);
    if (port === undefined) return fails('ServicePortError', `${named} is not listening on port ${wanted}`);
    if (endpoints === undefined) return fails('EndpointsNotFound', `cannot find endpoints for ${named}`);
    const portName = port.name ?? '';
    const isReady = endpoints.subsets?.some(
      ({ addresses, ports }) =>
        (addresses ?? []).length > 0 && (ports ?? []).some((one) => (one.name ?? '') === portName),
    );
    if (isReady !== true) {
      const lack = `have no addresses with port name ${JSON.stringify(portName)}`;
      return fails('MissingEndpoints', `endpoints for ${named} ${lack}`);
    }
  }
  return undefined;
}
