import type { MigratedKind } from '../apis/csi-migration/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../apis/types/core-v1.ts';
import type { CSINode, StorageClass } from '../apis/types/storage-v1.ts';

/** Objects about volumes, as they are now. */
export interface VolumeObjects {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  csiNode(name: string): CSINode | undefined;
  /** Built-in kinds that gates leave to drivers. */
  readonly migratedKinds: readonly MigratedKind[];
  /** Those of them that drivers serve on a node. */
  migratedOn(node: string): readonly MigratedKind[];
  /** Volumes of a class, in no order. */
  volumesOfClass(name: string): Iterable<PersistentVolume>;
  /** The claim that a volume is promised to by a placement that is not written yet: `NAMESPACE/NAME`. */
  promisedTo(volume: string): string | undefined;
}

/** Objects of a cluster without any. */
export const noVolumeObjects: VolumeObjects = {
  claim: () => undefined,
  volume: () => undefined,
  storageClass: () => undefined,
  csiNode: () => undefined,
  migratedKinds: [],
  migratedOn: () => [],
  volumesOfClass: () => [],
  promisedTo: () => undefined,
};
