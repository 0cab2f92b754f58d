import type { Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { PodSourceName } from './pod-source.ts';

/** Annotations in which the agent says where a pod comes from. */
export interface PodAnnotationNames {
  /** Of a static pod: the uid that its manifest gave it. */
  readonly hash: string;
  /** Of a mirror pod: the hash of the static pod that it shows. */
  readonly mirror: string;
  /** When the agent first saw the pod. */
  readonly seen: string;
  /** A `PodSourceName`. */
  readonly source: string;
}

const namesByDialect = new WeakMap<Dialect, PodAnnotationNames>();

/** The names of the dialect, made once. */
export function podAnnotationNames(dialect: Dialect): PodAnnotationNames {
  let names = namesByDialect.get(dialect);
  if (names === undefined) {
    names = {
      hash: dialect.label('config.hash'),
      mirror: dialect.label('config.mirror'),
      seen: dialect.label('config.seen'),
      source: dialect.label('config.source'),
    };
    namesByDialect.set(dialect, names);
  }
  return names;
}

/** The source that a pod was handed over by; undefined for pods that no source has marked. */
export function podSourceOf(pod: Pod, dialect: Dialect): PodSourceName | undefined {
  const source = pod.metadata.annotations?.[podAnnotationNames(dialect).source];
  switch (source) {
    case 'file':
    case 'http':
    case 'submitted':
    case 'api':
      return source;
    default:
      return undefined;
  }
}

/** Whether a pod, as a source handed it over, comes from elsewhere than the API server. */
export function isStaticPod(pod: Pod, dialect: Dialect): boolean {
  const source = podSourceOf(pod, dialect);
  return source !== undefined && source !== 'api';
}

/** The hash of the static pod that this object of the API server shows; undefined for pods that are no mirrors. */
export function mirrorHashOf(pod: Pod, dialect: Dialect): string | undefined {
  return pod.metadata.annotations?.[podAnnotationNames(dialect).mirror];
}

/** Whether an object of the API server only shows a static pod. */
export function isMirrorPod(pod: Pod, dialect: Dialect): boolean {
  return mirrorHashOf(pod, dialect) !== undefined;
}
