import {
  fieldPath,
  internalError,
  invalid,
  invalidValue,
  type StatusError,
} from '../../machinery/errors/index.ts';
import type { Service } from '../types/core-v1.ts';
import { goStringList } from '../validation/index.ts';
import {
  type AddressRange,
  contains,
  containsPort,
  formatPortRange,
  type PortRange,
} from './address-range.ts';
import {
  headlessAddress,
  needsClusterIp,
  needsHealthCheckNodePort,
  needsNodePorts,
} from './service-fields.ts';

/** What to do about the address of a service: nothing, take the one that the client names, or take a free one. */
export type AddressNeed =
  | { readonly kind: 'none' }
  | { readonly kind: 'given'; readonly address: string }
  | { readonly kind: 'any' };

/** A node port that must be taken before the service is stored. */
export interface NodePortNeed {
  /** Entries of `spec.ports` that will hold it; more than one for the same port over several protocols. */
  readonly positions: readonly number[];
  /** The port that the client names; undefined means any free one. */
  readonly requested: number | undefined;
}

/** What a write of a service takes from and gives back to the server's ranges. */
export interface AllocationPlan {
  readonly clusterIp: AddressNeed;
  readonly nodePorts: readonly NodePortNeed[];
  /** The health-check port: `none`, one that the client names (`given`), or any free one. */
  readonly healthCheckNodePort:
    | { readonly kind: 'none' | 'any' }
    | { readonly kind: 'given'; readonly port: number };
  /** To be given back once the write succeeded. */
  readonly releasedAddresses: readonly string[];
  readonly releasedPorts: readonly number[];
}

/** What the address of a service needs. On update an address that the service already has needs nothing. */
function requestedClusterIp(service: Service, old?: Service): AddressNeed {
  if (!needsClusterIp(service)) return { kind: 'none' };
  const address = service.spec.clusterIP ?? '';
  if (address === headlessAddress) return { kind: 'none' };
  if (old !== undefined && needsClusterIp(old) && (old.spec.clusterIP ?? '') === address && address !== '') {
    return { kind: 'none' };
  }
  return address === '' ? { kind: 'any' } : { kind: 'given', address };
}

/** How services may use the ranges. */
export interface AllocationOptions {
  /** Load balancers may say that they want no node ports (default false). */
  readonly hasPortControl?: boolean | undefined;
}

/** True where the server cares for the node ports of a service: those of the others are as the client says. */
const keepsNodePorts = ({ spec }: Service, { hasPortControl = false }: AllocationOptions): boolean =>
  spec.type === 'NodePort' ||
  (spec.type === 'LoadBalancer' && !(hasPortControl && spec.allocateLoadBalancerNodePorts === false));

/** Node ports that a write must take; those that the stored service has already are left out. */
function neededNodePorts(
  service: Service,
  old: Service | undefined,
  options: AllocationOptions,
): NodePortNeed[] {
  if (!keepsNodePorts(service, options)) return [];
  return old === undefined ? portsToCreate(service) : portsToUpdate(service, old);
}

/** A new service may use one node port for a port number that it serves over several protocols. */
function portsToCreate(service: Service): NodePortNeed[] {
  const ports = service.spec.ports ?? [];
  const needs: { positions: number[]; requested: number | undefined }[] = [];
  const byPort = new Map<number, (typeof needs)[number]>();
  for (const [at, { port, nodePort }] of ports.entries()) {
    const shared = byPort.get(port);
    if (shared !== undefined && (!nodePort || nodePort === shared.requested)) shared.positions.push(at);
    else if (shared !== undefined) needs.push({ positions: [at], requested: nodePort });
    else {
      const requested = ports.find((other) => other.port === port && other.nodePort)?.nodePort || undefined;
      const need = { positions: [at], requested };
      needs.push(need);
      byPort.set(port, need);
    }
  }
  return needs;
}

function portsToUpdate(service: Service, old: Service): NodePortNeed[] {
  const taken = new Set(usedNodePorts(old));
  const needs: NodePortNeed[] = [];
  for (const [at, { nodePort }] of (service.spec.ports ?? []).entries()) {
    if (!nodePort) needs.push({ positions: [at], requested: undefined });
    else if (!taken.has(nodePort)) {
      needs.push({ positions: [at], requested: nodePort });
      taken.add(nodePort);
    }
  }
  return needs;
}

/** Node ports that the service holds, without repeats. */
function usedNodePorts(service: Service): number[] {
  const used = new Set<number>();
  for (const { nodePort } of service.spec.ports ?? []) if (nodePort) used.add(nodePort);
  return [...used];
}

/** What creating `service` takes. The service has passed validation. */
export function planServiceCreate(service: Service, options: AllocationOptions = {}): AllocationPlan {
  return {
    clusterIp: requestedClusterIp(service),
    nodePorts: neededNodePorts(service, undefined, options),
    healthCheckNodePort: healthCheckNeed(service, undefined),
    releasedAddresses: [],
    releasedPorts: [],
  };
}

/** What replacing `old` by `service` takes and gives back. */
export function planServiceUpdate(
  service: Service,
  old: Service,
  options: AllocationOptions = {},
): AllocationPlan {
  const releasedPorts = portsReleasedByUpdate(service, old, options);
  const oldHealthPort = old.spec.healthCheckNodePort;
  if (needsHealthCheckNodePort(old) && !needsHealthCheckNodePort(service) && oldHealthPort) {
    releasedPorts.push(oldHealthPort);
  }
  return {
    clusterIp: requestedClusterIp(service, old),
    nodePorts: neededNodePorts(service, old, options),
    healthCheckNodePort: healthCheckNeed(service, old),
    releasedAddresses: releasedByUpdate(service, old),
    releasedPorts,
  };
}

function portsReleasedByUpdate(service: Service, old: Service, options: AllocationOptions): number[] {
  if (!needsNodePorts(old)) return [];
  if (!needsNodePorts(service)) return usedNodePorts(old);
  if (!keepsNodePorts(service, options)) return [];
  const kept = new Set(usedNodePorts(service));
  return usedNodePorts(old).filter((port) => !kept.has(port));
}

/** All addresses where the service has none any more; the second where it is back to one family. */
function releasedByUpdate(service: Service, old: Service): string[] {
  const held = heldAddresses(old);
  if (!needsClusterIp(service)) return held;
  return held.length === 2 && service.spec.clusterIPs?.length === 1 ? held.slice(1) : [];
}

/** What deleting the service gives back. */
export function planServiceDelete(
  service: Service,
): Pick<AllocationPlan, 'releasedAddresses' | 'releasedPorts'> {
  const releasedPorts = usedNodePorts(service);
  const healthPort = service.spec.healthCheckNodePort;
  if (needsHealthCheckNodePort(service) && healthPort) releasedPorts.push(healthPort);
  return { releasedAddresses: heldAddresses(service), releasedPorts };
}

function healthCheckNeed(service: Service, old: Service | undefined): AllocationPlan['healthCheckNodePort'] {
  if (!needsHealthCheckNodePort(service)) return { kind: 'none' };
  if (old !== undefined && needsHealthCheckNodePort(old)) return { kind: 'none' };
  const port = service.spec.healthCheckNodePort;
  return port ? { kind: 'given', port } : { kind: 'any' };
}

/** Addresses of the service ranges that a stored service holds. */
export function heldAddresses(service: Service): string[] {
  if (!needsClusterIp(service)) return [];
  const { clusterIP, clusterIPs } = service.spec;
  const addresses = clusterIPs?.length ? clusterIPs : [clusterIP ?? ''];
  return addresses.filter((address) => address !== '' && address !== headlessAddress);
}

/** Node ports, the health-check port included, that a stored service holds. */
export const heldPorts = (service: Service): readonly number[] => planServiceDelete(service).releasedPorts;

/** Why an address cannot be given: `outside` the range, or `taken`. */
export type AllocationProblem = 'outside' | 'taken';

/** Why a named address cannot be given out, if it cannot. */
export function addressProblem(
  range: AddressRange,
  address: string,
  isTaken: (address: string) => boolean,
): AllocationProblem | undefined {
  if (!contains(range, address)) return 'outside';
  return isTaken(address) ? 'taken' : undefined;
}

/** Why a named port cannot be given out, if it cannot. */
export function portProblem(
  range: PortRange,
  port: number,
  isTaken: (port: number) => boolean,
): AllocationProblem | undefined {
  if (!containsPort(range, port)) return 'outside';
  return isTaken(port) ? 'taken' : undefined;
}

const serviceKind = { group: '', kind: 'Service' } as const;

/** 422 for an address that the client named and cannot have. */
export function addressRefused(
  service: Service,
  refusal: { readonly address: string; readonly problem: AllocationProblem; readonly range: AddressRange },
): StatusError {
  const { address, problem, range } = refusal;
  const reason =
    problem === 'taken'
      ? 'provided IP is already allocated'
      : `provided IP is not in the valid range. The range of valid IPs is ${range.text}`;
  return addressFailed(service, `failed to allocated ip:${address} with error:${reason}`);
}

/** 500 when every address of the range is taken. */
export const addressesExhausted = (): StatusError =>
  internalError('failed to allocate a serviceIP: range is full');

function addressFailed(service: Service, detail: string): StatusError {
  const error = invalidValue(fieldPath('spec', 'clusterIPs'), goStringList(service.spec.clusterIPs), detail);
  return invalid(serviceKind, service.metadata.name ?? '', [error]);
}

function portReason(problem: AllocationProblem, range: PortRange): string {
  return problem === 'taken'
    ? 'provided port is already allocated'
    : `provided port is not in the valid range. The range of valid ports is ${formatPortRange(range)}`;
}

/** 422 for a node port that the client named and cannot have. */
export function nodePortRefused(
  service: Service,
  refusal: {
    readonly position: number;
    readonly port: number;
    readonly problem: AllocationProblem;
    readonly range: PortRange;
  },
): StatusError {
  const path = fieldPath('spec', 'ports').index(refusal.position).child('nodePort');
  const error = invalidValue(path, refusal.port, portReason(refusal.problem, refusal.range));
  return invalid(serviceKind, service.metadata.name ?? '', [error]);
}

/** 500 when every node port is taken. */
export const nodePortsExhausted = (): StatusError =>
  internalError('failed to allocate a nodePort: range is full');

/** 500 for a health-check port that the client named and cannot have. */
export const healthCheckPortRefused = (
  port: number,
  problem: AllocationProblem,
  range: PortRange,
): StatusError =>
  internalError(`failed to allocate requested HealthCheck NodePort ${port}: ${portReason(problem, range)}`);
