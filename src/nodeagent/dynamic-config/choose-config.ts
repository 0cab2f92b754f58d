import type { Dialect } from '../../machinery/dialect.ts';
import { type CheckpointStore, DamagedRecordError, type RecordName } from './checkpoint-store.ts';
import { type ConfigSource, sourcePath } from './config-source.ts';
import type { ConfigState } from './config-state.ts';
import { type ConfigFailure, startError } from './reasons.ts';

/** A configuration that can be started with, or why the file cannot be. */
export type LoadedCheckpoint<T> =
  | { readonly kind: 'loaded'; readonly config: T }
  | { readonly kind: 'refused'; readonly failure: ConfigFailure; readonly detail: string };

/** The checkpoints that the agent may start with, and how one is loaded. */
export interface ChooseConfigOptions<T> {
  readonly store: CheckpointStore;
  /** Reads and checks the file of a checkpoint, with everything that counts more than it. */
  readonly load: (path: string) => Promise<LoadedCheckpoint<T>>;
  readonly dialect: Dialect;
}

/** What an agent starts with. */
export interface ChosenConfig<T> {
  /** Undefined: the local configuration. */
  readonly config: T | undefined;
  readonly state: ConfigState;
  /** For the log, which is only opened with the configuration. */
  readonly complaints: readonly string[];
}

/**
 * Takes the assigned configuration, else the last one that was known to be good, else the local one. Release 1.20 ends
 * where the second cannot be read either; a node that runs on can be given a better one.
 *
 * @throws Error of the system when the folder cannot be read or made
 */
export async function chooseConfig<T>(options: ChooseConfigOptions<T>): Promise<ChosenConfig<T>> {
  const { store, dialect } = options;
  await store.prepare();
  const complaints: string[] = [];
  const complain = (failure: ConfigFailure, detail: string): string => {
    const error = startError(failure, dialect);
    complaints.push(`${error}, error: ${detail}`);
    return error;
  };
  const assigned = await readRecord(store, 'assigned');
  const lastKnownGood = await readRecord(store, 'last-known-good');
  let state: ConfigState = { assigned: assigned.source, lastKnownGood: lastKnownGood.source };
  if (lastKnownGood.damage !== undefined) complain('load', lastKnownGood.damage);
  if (assigned.damage !== undefined) {
    state = { ...state, isDamaged: true, error: complain('load', assigned.damage) };
  } else {
    await store.prune([assigned.source, lastKnownGood.source]);
    if (assigned.source === undefined) return { config: undefined, state, complaints };
    const loaded = await loadSource(assigned.source, options);
    if (loaded.kind === 'loaded') {
      return { config: loaded.config, state: { ...state, active: assigned.source }, complaints };
    }
    state = { ...state, error: complain(loaded.failure, loaded.detail) };
  }
  if (lastKnownGood.source === undefined) return { config: undefined, state, complaints };
  const loaded = await loadSource(lastKnownGood.source, options);
  if (loaded.kind === 'loaded') {
    return { config: loaded.config, state: { ...state, active: lastKnownGood.source }, complaints };
  }
  complain(loaded.failure, loaded.detail);
  return { config: undefined, state, complaints };
}

interface ReadRecord {
  readonly source: ConfigSource | undefined;
  readonly damage?: string;
}

async function readRecord(store: CheckpointStore, name: RecordName): Promise<ReadRecord> {
  try {
    return { source: await store.read(name) };
  } catch (error) {
    if (!(error instanceof DamagedRecordError)) throw error;
    return { source: undefined, damage: error.message };
  }
}

async function loadSource<T>(
  source: ConfigSource,
  { store, load }: ChooseConfigOptions<T>,
): Promise<LoadedCheckpoint<T>> {
  if (await store.has(source)) return load(store.pathOf(source));
  const { uid, resourceVersion } = source;
  const detail = `no checkpoint for source ${sourcePath(source)}, UID: ${uid}, ResourceVersion: ${resourceVersion}`;
  return { kind: 'refused', failure: 'load', detail };
}
