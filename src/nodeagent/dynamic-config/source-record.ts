import { parseYaml, writeYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type ConfigSource, readConfigSource, toNodeConfigSource } from './config-source.ts';

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
