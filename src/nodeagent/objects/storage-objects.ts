import type { PersistentVolumeClaimStatus } from '../../apis/types/core-v1.ts';
import type { CSIDriver, VolumeAttachment } from '../../apis/types/storage-v1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import { type Informer, type RestClient, resourcePath, startInformer } from '../../client/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { readObject } from './object-source.ts';

/** Fields of a claim's status to set; null takes a list away. */
export interface ClaimStatusPatch {
  readonly capacity: PersistentVolumeClaimStatus['capacity'] | Readonly<Record<string, unknown>>;
  readonly conditions?: PersistentVolumeClaimStatus['conditions'] | null;
}

/** What the API server knows of drivers of volumes and of what they have attached. */
export interface StorageObjects {
  /** Followed from the first question on; undefined when there is none. @throws Error when no list came in 10 s */
  csiDriver(name: string): Promise<CSIDriver | undefined>;
  /** Asked now; undefined when there is none. @throws StatusError or TransportError */
  volumeAttachment(name: string): Promise<VolumeAttachment | undefined>;
  /** Changes what a claim says of its volume's size. @throws StatusError or TransportError */
  patchClaimStatus(namespace: string, name: string, status: ClaimStatusPatch): Promise<void>;
}

/** Where these objects are read and followed, until `signal` aborts. */
export interface StorageObjectsOptions {
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;

/** Nothing is asked before the first question. */
export function createStorageObjects(options: StorageObjectsOptions): StorageObjects {
  const { client, dialect, clock, logger, signal } = options;
  const storage = { group: dialect.group('storage'), version: 'v1' };
  const attachments = { client, group: storage.group, resource: 'volumeattachments', signal } as const;
  let drivers: Informer<CSIDriver> | undefined;
  return {
    async csiDriver(name) {
      drivers ??= startInformer<CSIDriver>({
        client,
        resource: { ...storage, resource: 'csidrivers' },
        signal,
        clock,
        onError: (error) => logger.error('CSIDriver watch failed', { error: String(error) }),
      });
      if (!drivers.isSynced) {
        const late = pause(clock, timeoutMs, signal).then(() => {
          throw new Error('CSIDriver objects could not be listed in time');
        });
        await Promise.race([drivers.whenSynced, late]);
      }
      return drivers.get('', name);
    },
    volumeAttachment: (name) => readObject<VolumeAttachment>(attachments, '', name),
    async patchClaimStatus(namespace, name, status) {
      const claim = { group: '', version: 'v1', resource: 'persistentvolumeclaims', namespace, name };
      await client.json({
        method: 'PATCH',
        path: resourcePath({ ...claim, subresource: 'status' }),
        contentType: 'application/merge-patch+json',
        body: { status },
        signal,
        timeoutMs,
      });
    },
  };
}
