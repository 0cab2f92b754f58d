import type { PersistentVolume, Pod, Volume } from '../../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { AgentObjects } from '../../../../src/nodeagent/objects/index.ts';
import { createPodVolumes, type MountRequest } from '../../../../src/nodeagent/volumes/index.ts';
import { containerOf, podOf } from '../container-config/pods.ts';
import { type FakeObjects, objectsOf } from './objects.ts';

/** A volume `v` of a pod that is mounted without a kernel. */
export interface VolumeMount {
  readonly rootDirectory: string;
  readonly volume: Volume;
  readonly securityContext?: Pod['spec']['securityContext'];
  /** Of the persistent volume `pv` behind the claim `c`. */
  readonly spec?: PersistentVolume['spec'] | undefined;
  readonly known?: FakeObjects;
  /** In place of what is made of `known`. */
  readonly objects?: Partial<AgentObjects>;
  /** Stands for `mount`. */
  readonly onMount: (request: MountRequest) => Promise<void>;
  /** Folders that are mounted. */
  readonly mounted: () => readonly string[];
  readonly fsType: string;
}

/** Mounts the volume for the pod `web` of the namespace `shop`. */
export function mountInPod({
  rootDirectory,
  volume,
  securityContext,
  spec,
  known,
  objects,
  ...kernel
}: VolumeMount) {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c', uid: 'claim-uid' },
    spec: { volumeName: 'pv', resources: {} },
    status: { phase: 'Bound' as const },
  };
  const pv = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv' }, status: {} };
  const { mounted, fsType } = kernel;
  const volumes = createPodVolumes({
    onStale() {},
    onOperation() {},
    rootDirectory,
    dialect: orchDialect,
    objects: {
      ...objectsOf({
        ...known,
        claims: { c: claim },
        ...(spec && { volumes: { pv: { ...pv, spec: { claimRef: { uid: 'claim-uid' }, ...spec } } } }),
      }),
      ...objects,
    },
    clock: systemClock,
    logger: silentLogger,
    mount: {
      mount: kernel.onMount,
      share: async () => {},
      unmount: async () => {},
      list: async () => mounted().map((path) => ({ path, device: '', root: '/', fsType, isShared: true })),
    },
    usagePeriodMs: 0,
  });
  const pod = podOf(
    {
      volumes: [volume],
      securityContext,
      containers: [containerOf({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
    },
    { uid: 'u', name: 'web', namespace: 'shop' },
  );
  return volumes.mount(pod, { podIps: [], hostIps: [], allocatable: {} });
}

/** What the pod's events say when it fails; empty when it does not. */
export const complaintOf = (mounting: Promise<unknown>): Promise<string> =>
  mounting.then(
    () => '',
    ({ events }) => events.map(({ message }: { message: string }) => message).join(),
  );
