import type { APIService, APIServiceCondition } from '../../apis/types/apiregistration-v1beta1.ts';
import type { Endpoints, Service } from '../../apis/types/core-v1.ts';

/** The objects that decide whether an API service could be called, as far as they exist. */
export interface Backend {
  readonly service: Service | undefined;
  readonly endpoints: Endpoints | undefined;
}

/** What a condition says, without its time. */
type Finding = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

/**
 * The conditions that an APIService should have; undefined when it has them. The time of its condition moves only with
 * the condition's status. Checks and words are those of release 1.20, up to the call that would be made then.
 */
export function decideAvailability(
  apiService: Pick<APIService, 'spec' | 'status'>,
  backend: Backend,
  now: string,
): APIServiceCondition[] | undefined {
  const conditions = apiService.status?.conditions ?? [];
  const found = findAvailability(apiService.spec, backend);
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

function findAvailability(spec: APIService['spec'], { service, endpoints }: Backend): Finding {
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
  // Clients wait for groups that are available: one that cannot be reached here must not look like that.
  return fails('FailedDiscoveryCheck', 'this server does not call the servers of other API groups yet');
}
