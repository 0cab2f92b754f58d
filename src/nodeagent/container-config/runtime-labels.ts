import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** Names of what sandboxes and containers carry, so that a restarted agent knows them again. */
export interface RuntimeLabelNames {
  readonly podName: string;
  readonly podNamespace: string;
  readonly podUid: string;
  readonly containerName: string;
  /** Annotations of containers. */
  readonly hash: string;
  readonly restartCount: string;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
  readonly podDeletionGracePeriod: string;
  readonly podTerminationGracePeriod: string;
  readonly preStopHandler: string;
  readonly ports: string;
}

const namesOf = new WeakMap<Dialect, RuntimeLabelNames>();

/** The names in a dialect: its domain backwards, then what they are. */
export function runtimeLabelNames(dialect: Dialect): RuntimeLabelNames {
  let names = namesOf.get(dialect);
  if (names === undefined) {
    const [domain = ''] = dialect.label('').split('/');
    const prefix = domain.split('.').reverse().join('.');
    names = {
      podName: `${prefix}.pod.name`,
      podNamespace: `${prefix}.pod.namespace`,
      podUid: `${prefix}.pod.uid`,
      containerName: `${prefix}.container.name`,
      hash: `${prefix}.container.hash`,
      restartCount: `${prefix}.container.restartCount`,
      terminationMessagePath: `${prefix}.container.terminationMessagePath`,
      terminationMessagePolicy: `${prefix}.container.terminationMessagePolicy`,
      podDeletionGracePeriod: `${prefix}.pod.deletionGracePeriod`,
      podTerminationGracePeriod: `${prefix}.pod.terminationGracePeriod`,
      preStopHandler: `${prefix}.container.preStopHandler`,
      ports: `${prefix}.container.ports`,
    };
    namesOf.set(dialect, names);
  }
  return names;
}

/** Labels of a pod's sandbox: those of the pod, and who it is. */
export function sandboxLabels(pod: Pod, dialect: Dialect): Record<string, string> {
  return { ...pod.metadata.labels, ...identify(pod, runtimeLabelNames(dialect)) };
}

/** Labels of a container: whose it is. */
export function containerLabels(pod: Pod, containerName: string, dialect: Dialect): Record<string, string> {
  const names = runtimeLabelNames(dialect);
  return { ...identify(pod, names), [names.containerName]: containerName };
}

/** What the agent must know of an instance again after a restart, when only the runtime's list is left. */
export interface ContainerAnnotationsOptions {
  readonly specHash: string;
  readonly attempt: number;
  readonly dialect: Dialect;
}

/** Annotations of a container: what is needed to end it properly after its pod's specification is gone. */
export function containerAnnotations(
  { metadata, spec }: Pod,
  container: Container,
  { specHash, attempt, dialect }: ContainerAnnotationsOptions,
): Record<string, string> {
  const names = runtimeLabelNames(dialect);
  const { ports = [], lifecycle } = container;
  return {
    [names.hash]: specHash,
    [names.restartCount]: `${attempt}`,
    [names.terminationMessagePath]: container.terminationMessagePath ?? '',
    [names.terminationMessagePolicy]: container.terminationMessagePolicy ?? '',
    ...optional(names.podDeletionGracePeriod, metadata.deletionGracePeriodSeconds),
    ...optional(names.podTerminationGracePeriod, spec.terminationGracePeriodSeconds),
    ...optional(names.preStopHandler, lifecycle?.preStop && JSON.stringify(lifecycle.preStop)),
    ...optional(names.ports, ports.length === 0 ? undefined : JSON.stringify(ports)),
  };
}

function identify({ metadata }: Pod, names: RuntimeLabelNames): Record<string, string> {
  return {
    [names.podName]: metadata.name ?? '',
    [names.podNamespace]: metadata.namespace ?? '',
    [names.podUid]: metadata.uid ?? '',
  };
}

const optional = (name: string, value: string | number | undefined): Record<string, string> =>
  value === undefined ? {} : { [name]: `${value}` };
