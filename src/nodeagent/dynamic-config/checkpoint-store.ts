import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorText, makeDirectory, renameDurably, syncPath, writeFileAtomic } from '../../base/index.ts';
import { parseYaml, writeYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type ConfigSource, readConfigSource, toNodeConfigSource } from './config-source.ts';

/** Which source a record names: the one to use, or the one to fall back to. */
export type RecordName = 'assigned' | 'last-known-good';

/** A record is there and cannot be read. */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError';
}

/** A record has a few names; a larger file is something else. */
const maxRecordBytes = 64 * 1024;
const modes = { directory: 0o700, file: 0o600 } as const;
/** Of folders that are being written. */
const draftMark = '.new';

/**
 * Downloaded configurations on disk, laid out as release 1.20 does it: `store/meta/{assigned,last-known-good}` and
 * `store/checkpoints/UID/VERSION/KEY`. Whoever reads finds a file or a checkpoint whole or not at all, after a loss of
 * power too. For one process at a time.
 */
export class CheckpointStore {
  readonly #meta: string;
  readonly #checkpoints: string;
  readonly #dialect: Dialect;

  /** `folder` is absolute. */
  constructor(folder: string, dialect: Dialect) {
    this.#meta = join(folder, 'store', 'meta');
    this.#checkpoints = join(folder, 'store', 'checkpoints');
    this.#dialect = dialect;
  }

  /** Makes folders and empty records where there are none. @throws Error of the system */
  async prepare(): Promise<void> {
    for (const folder of [this.#meta, this.#checkpoints]) {
      await makeDirectory(folder, modes.directory);
    }
    for (const name of ['assigned', 'last-known-good'] as const) {
      await (await open(join(this.#meta, name), 'a', modes.file)).close();
    }
  }

  /** Undefined: none. @throws DamagedRecordError, Error of the system */
  async read(name: RecordName): Promise<ConfigSource | undefined> {
    const path = join(this.#meta, name);
    const { size } = await stat(path);
    if (size > maxRecordBytes) throw new DamagedRecordError(`${path} has more than ${maxRecordBytes} bytes`);
    const bytes = await readFile(path);
    try {
      return readSourceRecord(bytes, this.#dialect);
    } catch (cause) {
      const why = errorText(cause);
      throw new DamagedRecordError(`${path} cannot be read: ${why}`, { cause });
    }
  }

  async write(name: RecordName, source: ConfigSource | undefined): Promise<void> {
    const record = writeSourceRecord(source, this.#dialect);
    await writeFileAtomic(join(this.#meta, name), record, { mode: modes.file, isDurable: true });
  }

  /** When the assigned source was written, in milliseconds since the epoch. */
  async assignedAtMs(): Promise<number> {
    return (await stat(join(this.#meta, 'assigned'))).mtimeMs;
  }

  /** The file that a source names, whether it is there or not. */
  pathOf(source: ConfigSource): string {
    return join(this.#folderOf(source), source.key);
  }

  async has(source: ConfigSource): Promise<boolean> {
    return stat(this.#folderOf(source)).then(
      (found) => found.isDirectory(),
      () => false,
    );
  }

  /** Keeps the files of one version of a ConfigMap; the names must be safe as names of files. */
  async save(source: ConfigSource, files: ReadonlyMap<string, string>): Promise<void> {
    const folder = this.#folderOf(source);
    const draft = folder + draftMark;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: modes.directory });
    for (const [name, text] of files) {
      await writeFileAtomic(join(draft, name), text, { mode: modes.file, isDurable: true });
    }
    await rm(folder, { recursive: true, force: true });
    await renameDurably(draft, folder);
    await syncPath(this.#checkpoints);
  }

  /** Removes checkpoints that none of the sources names, and drafts that were never finished. */
  async prune(kept: readonly (ConfigSource | undefined)[]): Promise<void> {
    const folders = new Set(kept.flatMap((source) => (source === undefined ? [] : [this.#folderOf(source)])));
    const parents = new Set([...folders].map((folder) => dirname(folder)));
    for (const uid of await readdir(this.#checkpoints)) {
      const parent = join(this.#checkpoints, uid);
      if (!parents.has(parent)) {
        await rm(parent, { recursive: true, force: true });
        continue;
      }
      for (const version of await readdir(parent)) {
        const folder = join(parent, version);
        if (!folders.has(folder)) await rm(folder, { recursive: true, force: true });
      }
    }
  }

  #folderOf({ uid, resourceVersion }: ConfigSource): string {
    return join(this.#checkpoints, uid, resourceVersion);
  }
}

const apiVersion = 'nodeagent.config.orch.io/v1beta1';
const kind = 'SerializedNodeConfigSource';

/** A source as the files `assigned` and `last-known-good` hold it, as release 1.20 writes it; empty for none. */
export function writeSourceRecord(source: ConfigSource | undefined, dialect: Dialect): string {
  if (source === undefined) return '';
  return writeYaml({
    apiVersion: dialect.spell(apiVersion),
    kind,
    source: toNodeConfigSource(source, dialect),
  });
}

/** Reads such a file. @throws Error when it holds something else */
export function readSourceRecord(bytes: Buffer, dialect: Dialect): ConfigSource | undefined {
  if (bytes.length === 0) return undefined;
  // Checked field by field below.
  const record = parseYaml(bytes) as Readonly<Record<string, unknown>> | null;
  if (record?.apiVersion !== dialect.spell(apiVersion) || record.kind !== kind) {
    throw new Error(`it is not a ${kind} of ${dialect.spell(apiVersion)}`);
  }
  const source = readConfigSource(record.source, dialect);
  if ('failure' in source) throw new Error(source.detail);
  return source;
}
