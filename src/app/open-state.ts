import { type AddressRange, nthAddress } from '../apis/core/index.ts';
import type { Clock, Logger, TurnQueue } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import { createStoredForms, storageKinds } from '../registry/index.ts';
import {
  createTimedStorage,
  createVersionedStorage,
  type Storage,
  type StoredForms,
} from '../storage/index.ts';
import {
  defaultEventWindow,
  defaultSnapshotLimits,
  openWatchCache,
  type WatchCache,
} from '../storage/watch-cache/index.ts';
import type { ApiModel } from './api-model.ts';
import type { Encryption } from './open-encryption.ts';
import { openStorage } from './open-storage.ts';
import type { ServePaths } from './serve-paths.ts';
import { openIdentity, type ServerIdentity } from './server-identity.ts';
import { StorageTimes } from './storage-times.ts';

/** What keys and storage are opened with. */
export interface StateSources {
  readonly config: ServeConfig;
  readonly paths: ServePaths;
  readonly model: ApiModel;
  readonly addresses: AddressRange;
  /** The address that the cluster is told. */
  readonly advertiseAddress: string | undefined;
  readonly clock: Clock;
  readonly turns: TurnQueue;
  readonly logger: Logger;
}

/** What outlives a server, opened: its keys and its objects. */
export interface ServerState {
  readonly identity: ServerIdentity;
  /** The store itself, with values in whatever version they are. */
  readonly driver: Storage;
  /** The same with values opened, in the storage versions. */
  readonly storage: Storage;
  /** How long the store takes to answer. */
  readonly storageTimes: StorageTimes;
  readonly watchCache: WatchCache;
  /** The services that keys of values are sealed by. */
  readonly keyServices: Encryption['services'];
}

/**
 * Opens or makes the server's keys and its store, and reads the cache from it. All is closed with `opened`.
 *
 * @throws StorageError, PkiError, RangeError or Error naming what cannot be used.
 */
export async function openState(sources: StateSources, opened: AsyncDisposableStack): Promise<ServerState> {
  const { config, paths, model, addresses, advertiseAddress, clock, turns, logger } = sources;
  const { dialect, root, selectableFields, fieldLayout } = model;
  const encryption = opened.use(await encryptionOf(config, model, clock));
  const [keys, store] = await Promise.allSettled([
    openIdentity({
      config,
      dialect,
      keyDirectory: paths.keyDirectory,
      advertiseAddress,
      firstServiceAddress: nthAddress(addresses, 1),
      nowMs: () => clock.nowMs(),
    }),
    openStorage({ url: paths.storageUrl, config, dialect, logger, clock, turns }),
  ]);
  // A store that was opened is closed also when the keys are what fails.
  if (store.status === 'fulfilled') opened.use(store.value);
  if (keys.status === 'rejected') throw keys.reason;
  if (store.status === 'rejected') throw store.reason;
  const [identity, driver] = [keys.value, store.value];
  const storageTimes = new StorageTimes(storageKinds(model.table, root), root, dialect);
  const timed = createTimedStorage(driver, storageTimes.tell);
  const storage = createVersionedStorage(encryption.over(timed), storedFormsOf(model, logger));
  const interval = config.etcdCompactionIntervalMs;
  const age = interval === 0 ? {} : { maxAgeMs: interval };
  const watchCache = opened.use(
    await openWatchCache({
      storage,
      root,
      logger,
      clock,
      selectableFields,
      fieldLayout,
      eventWindow: { ...defaultEventWindow, ...age },
      snapshotLimits: { ...defaultSnapshotLimits, ...age },
    }),
  );
  return { identity, driver, storage, storageTimes, watchCache, keyServices: encryption.services };
}

async function encryptionOf(config: ServeConfig, model: ApiModel, clock: Clock): Promise<Encryption> {
  const path = config.encryptionProviderConfig || config.experimentalEncryptionProviderConfig;
  if (!path) return { over: (storage) => storage, services: [], [Symbol.dispose]() {} };
  // Key services are spoken to by gRPC, which takes megabytes.
  const { openEncryption } = await import('./open-encryption.ts');
  return openEncryption(path, config, model, { clock });
}

/** Objects of all versions that may be stored, as the verbs know them. */
function storedFormsOf(
  { dialect, catalog, applyDefaults, storageVersions, table, root }: ApiModel,
  logger: Logger,
): StoredForms {
  return createStoredForms({
    dialect,
    catalog,
    applyDefaults,
    writtenVersions: storageVersions,
    storageKinds: storageKinds(table, root),
    logger,
  });
}
