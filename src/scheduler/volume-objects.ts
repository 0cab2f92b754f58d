import type { PersistentVolume, PersistentVolumeClaim } from '../apis/types/core-v1.ts';
import type { CSINode, StorageClass } from '../apis/types/storage-v1.ts';

/** Objects about volumes, as they are now. */
export interface VolumeObjects {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  csiNode(name: string): CSINode | undefined;
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
  volumesOfClass: () => [],
  promisedTo: () => undefined,
};
