import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
} from '../../../../src/apis/types/core-v1.ts';
import type { CSIDriver } from '../../../../src/apis/types/storage-v1.ts';
import type { WantedSources } from '../../../../src/controllers/attach-detach/wanted-volumes.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

// Objects with what counts here; the rest of them is left out.

export const pod = (name: string, more: { metadata?: object; spec?: object; status?: object } = {}): Pod =>
  ({
    metadata: { namespace: 'n', name, uid: `uid-${name}`, ...more.metadata },
    spec: {
      nodeName: 'a',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }],
      ...more.spec,
    },
    status: { phase: 'Running', ...more.status },
  }) as unknown as Pod;

export const node = (name: string, annotations: object = {}, status: object = {}): Node =>
  ({
    metadata: {
      name,
      annotations: { 'volumes.orch.io/controller-managed-attach-detach': 'true', ...annotations },
    },
    status,
  }) as unknown as Node;

export const claim = (status: object = { phase: 'Bound' }): PersistentVolumeClaim =>
  ({
    metadata: { namespace: 'n', name: 'c', uid: 'uid-c' },
    spec: { volumeName: 'v' },
    status,
  }) as unknown as PersistentVolumeClaim;

export const volume = (spec: object = {}): PersistentVolume =>
  ({
    metadata: { name: 'v' },
    spec: {
      claimRef: { uid: 'uid-c' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'd.example', volumeHandle: 'h' },
      ...spec,
    },
  }) as unknown as PersistentVolume;

export const driver = (attachRequired: boolean): CSIDriver =>
  ({ metadata: { name: 'd.example' }, spec: { attachRequired } }) as unknown as CSIDriver;

export const sources = (more: Partial<WantedSources> = {}): WantedSources => ({
  dialect: orchDialect,
  claim: (_namespace, name) => (name === 'c' || name === 'p-own' ? claim() : undefined),
  volume: () => volume(),
  driver: () => undefined,
  node: (name) => node(name),
  migratedOn: () => [],
  ...more,
});
