import { createHash } from 'node:crypto';
import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { DesiredContainer, DesiredPod, RestartPolicy } from './pod-state.ts';

/** What a container has at least between SIGTERM and SIGKILL (the bound of release 1.20). */
export const minGraceMs = 2000;
const defaultGraceSeconds = 30;

/** The part of a pod that plans are made from. Takes what the API server or a decoded manifest gives, defaults set. */
export function toDesiredPod({ metadata, spec }: Pod): DesiredPod {
  const { terminationGracePeriodSeconds = defaultGraceSeconds, initContainers = [], containers } = spec;
  return {
    uid: metadata.uid ?? '',
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    restartPolicy: readRestartPolicy(spec.restartPolicy),
    usesHostNetwork: spec.hostNetwork === true,
    terminationGraceMs: Math.max(minGraceMs, terminationGracePeriodSeconds * 1000),
    initContainers: initContainers.map(toDesiredContainer),
    containers: (containers ?? []).map(toDesiredContainer),
    ephemeralContainers: (spec.ephemeralContainers ?? []).map(toDesiredContainer),
  };
}

/** Equal for containers of equal fields, whatever their order; 16 hexadecimal digits. */
export function hashContainer(container: Container): string {
  const text = JSON.stringify(container, (_key, value: unknown) => sortKeys(value));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function toDesiredContainer(container: Container): DesiredContainer {
  return { name: container.name, specHash: hashContainer(container) };
}

function readRestartPolicy(policy: string | undefined): RestartPolicy {
  return policy === 'OnFailure' || policy === 'Never' ? policy : 'Always';
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
