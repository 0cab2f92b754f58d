import type { Container, Pod, PodSpec, Volume } from '../../types/core-v1.ts';
import type { DefaultContext } from '../default-rule.ts';
import { isLatestImage } from '../image-tag.ts';

/** A volume without a source is an empty directory. */
export function emptyDir(volume: Volume): void {
  // Canonical volumes have nothing but the name when there is no source.
  for (const field in volume) {
    if (field !== 'name' && volume[field as keyof Volume] !== undefined) return;
  }
  volume.emptyDir = {};
}

/** Images that may change under their name are always pulled. */
export function imagePullPolicy(container: Container): void {
  if (container.imagePullPolicy !== undefined && container.imagePullPolicy !== '') return;
  container.imagePullPolicy = isLatestImage(container.image ?? '') ? 'Always' : 'IfNotPresent';
}

/** A limit without a request is a request as well. Holds for pods only, not for templates. */
export function requestsFromLimits(pod: Pod): void {
  for (const container of pod.spec.containers ?? []) requestLimits(container);
  for (const container of pod.spec.initContainers ?? []) requestLimits(container);
}

function requestLimits(container: Container): void {
  const limits = container.resources.limits;
  if (limits === undefined) return;
  container.resources.requests ??= {};
  const requests = container.resources.requests;
  for (const name in limits) {
    const limit = limits[name];
    if (limit !== undefined && requests[name] === undefined) requests[name] = limit;
  }
}

/** On the host's network a container's port is the host's port. */
export function hostPorts(spec: PodSpec): void {
  if (spec.hostNetwork !== true) return;
  for (const containers of [spec.containers, spec.initContainers]) {
    for (const container of containers ?? []) {
      for (const port of container.ports ?? []) {
        if (port.hostPort === undefined || port.hostPort === 0) port.hostPort = port.containerPort;
      }
    }
  }
}

/** `serviceAccount` is the old name of `serviceAccountName`: read when the new one is empty, always written. */
export function serviceAccountAlias(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (name === undefined || name === '') return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

const initContainerAnnotations = [
  'pod.beta.orch.io/init-containers',
  'pod.alpha.orch.io/init-containers',
  'pod.beta.orch.io/init-container-statuses',
  'pod.alpha.orch.io/init-container-statuses',
] as const;

/** Init containers were annotations once; what is left of them is dropped. Holds for pods and templates. */
export function dropInitContainerAnnotations(
  object: { metadata: { annotations?: Record<string, string> | undefined } },
  { dialect }: DefaultContext,
): void {
  const { annotations } = object.metadata;
  if (annotations === undefined) return;
  for (const name of initContainerAnnotations) {
    const spelled = dialect.spell(name);
    if (spelled in annotations) delete annotations[spelled];
  }
}
