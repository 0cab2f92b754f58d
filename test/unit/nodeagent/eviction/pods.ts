import type { Container, Pod, PodSpec } from '../../../../src/apis/types/core-v1.ts';
import type { ContainerUsage, PodUsage } from '../../../../src/nodeagent/eviction/index.ts';

type Amounts = Record<string, string>;

/** A container that asks for and may use these amounts. */
export const container = (name: string, requests: Amounts = {}, limits: Amounts = {}): Container =>
  // Nothing else of a container matters here.
  ({ name, image: 'i', resources: { requests, limits } }) as Container;

/** A pod whose uid is its name. */
export const pod = (name: string, spec: Partial<PodSpec> = {}): Pod =>
  // Nothing else of a pod matters here.
  ({
    metadata: { name, namespace: 'default', uid: name },
    spec: { containers: [container('c')], ...spec },
  }) as Pod;

/** What one container `c` uses. */
export const usage = (
  used: Partial<ContainerUsage> & {
    readonly processes?: number;
    readonly volumes?: Record<string, number>;
  } = {},
): PodUsage => {
  const { processes, volumes = {}, ...container } = used;
  return {
    containers: [
      { name: 'c', memoryBytes: undefined, writableLayer: undefined, logs: undefined, ...container },
    ],
    volumes: Object.entries(volumes).map(([name, usedBytes]) => ({ name, usedBytes, inodesUsed: 1 })),
    processes,
  };
};

/** Bytes in one file. */
export const disk = (usedBytes: number, inodesUsed = 1) => ({ usedBytes, inodesUsed });
