import { isJsonObject } from '../../../base/index.ts';
import { type CpuRecord, checksumOf } from './checksum.ts';

/** The file's text; equal records have equal texts. */
export function formatCpuRecord(record: CpuRecord): string {
  const { policyName, defaultCpuSet, entries } = record;
  const sorted = [...entries].sort(byKey).map(([uid, containers]) => {
    return [uid, Object.fromEntries([...containers].sort(byKey))] as const;
  });
  return JSON.stringify({
    policyName,
    defaultCpuSet,
    ...(sorted.length > 0 ? { entries: Object.fromEntries(sorted) } : {}),
    checksum: checksumOf(record),
  });
}

/** The reverse; undefined for a text that no agent wrote. A checksum of 0 fits everything, as in release 1.20. */
export function parseCpuRecord(text: string): CpuRecord | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const { policyName = '', defaultCpuSet = '', entries = {}, checksum = 0 } = value;
  if (typeof policyName !== 'string' || typeof defaultCpuSet !== 'string') return undefined;
  const pods = readMap(entries, (containers) => readMap(containers, readText));
  if (pods === undefined) return undefined;
  const record = { policyName, defaultCpuSet, entries: pods };
  return checksum === 0 || checksum === checksumOf(record) ? record : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // whatever it is, it is no record
  }
}

function readMap<T>(value: unknown, read: (part: unknown) => T | undefined): Map<string, T> | undefined {
  if (!isJsonObject(value)) return undefined;
  const map = new Map<string, T>();
  for (const [key, part] of Object.entries(value)) {
    const known = read(part);
    if (known === undefined) return undefined;
    map.set(key, known);
  }
  return map;
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
