import type { Pod, Service, ServicePort } from '../../apis/types/core-v1.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';
import { portNumber, splitPorts } from './ports.ts';

/**
 * Brings arguments to numbers of ports of the pod: names of its containers' ports, or ports of a service.
 *
 * @throws CtlError for names and ports that are not there, and for those that are UDP only.
 */
export function resolvePorts(texts: readonly string[], object: WireObject, pod: Pod): readonly string[] {
  const resolve = isService(object) ? serviceResolver(object, pod) : podResolver(pod);
  for (const text of texts) resolve.check(splitPorts(text)[1]);
  return texts.map((text) => resolve.translate(text));
}

interface PortResolver {
  /** @throws CtlError for a remote port that takes UDP only. */
  check(remote: string): void;
  translate(text: string): string;
}

function podResolver(pod: Pod): PortResolver {
  const ports = (pod.spec.containers ?? []).flatMap((container) => container.ports ?? []);
  const udpOnly = udpOnlyPorts(
    ports.map(({ containerPort, protocol }) => ({ port: containerPort, protocol })),
  );
  return {
    check: (remote) => refuseUdp(udpOnly, remote, portNumber(remote) ?? containerPort(pod, remote)),
    translate(text) {
      const [local, remote] = splitPorts(text);
      const port = portNumber(remote) === undefined ? String(containerPort(pod, remote)) : remote;
      return local === remote ? port : `${local}:${port}`;
    },
  };
}

function serviceResolver(service: Service, pod: Pod): PortResolver {
  const udpOnly = udpOnlyPorts(service.spec.ports ?? []);
  const numberOf = (remote: string): number => portNumber(remote) ?? servicePort(service, remote);
  return {
    check: (remote) => refuseUdp(udpOnly, remote, numberOf(remote)),
    translate(text) {
      const [typedLocal, remote] = splitPorts(text);
      const port = numberOf(remote);
      const local = typedLocal === remote ? String(port) : typedLocal;
      const target = String(targetPort(service, pod, port));
      return local === target ? target : `${local}:${target}`;
    },
  };
}

/** The port of the pod that a port of a service leads to. */
function targetPort({ metadata, spec }: Service, pod: Pod, port: number): number {
  const found = (spec.ports ?? []).find((each) => each.port === port);
  if (found === undefined) {
    throw new CtlError(`Service ${metadata.name} does not have a service port ${port}`);
  }
  if (spec.clusterIP === 'None') return port;
  const { targetPort: target } = found;
  if (typeof target === 'string') return containerPort(pod, target);
  return target || found.port;
}

function servicePort({ metadata, spec }: Service, name: string): number {
  const found = (spec.ports ?? []).find((each) => each.name === name);
  if (found !== undefined) return found.port;
  throw new CtlError(`Service '${metadata.name}' does not have a named port '${name}'`);
}

function containerPort({ metadata, spec }: Pod, name: string): number {
  for (const { ports } of spec.containers ?? []) {
    const found = (ports ?? []).find((each) => each.name === name);
    if (found !== undefined) return found.containerPort;
  }
  throw new CtlError(`Pod '${metadata.name}' does not have a named port '${name}'`);
}

function udpOnlyPorts(ports: readonly Pick<ServicePort, 'port' | 'protocol'>[]): ReadonlySet<number> {
  const withProtocol = (wanted: string) =>
    new Set(ports.filter(({ protocol }) => protocol === wanted).map(({ port }) => port));
  const tcp = withProtocol('TCP');
  return new Set([...withProtocol('UDP')].filter((port) => !tcp.has(port)));
}

function refuseUdp(udpOnly: ReadonlySet<number>, typed: string, port: number): void {
  if (udpOnly.has(port)) throw new CtlError(`UDP protocol is not supported for ${typed}`);
}

function isService(object: WireObject): object is WireObject & Service {
  return object.kind === 'Service' && object.apiVersion === 'v1' && typeof object.spec === 'object';
}
