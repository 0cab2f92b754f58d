import { asJsonObject, asText, formatSize, isJsonObject } from '../../base/index.ts';
import { formatHumanDuration } from '../printers/human-duration.ts';
import type { Finding } from './finding.ts';

/** A database does not commit, and servers do not start, without some room to write. */
const leastFreeBytes = 256 * 1024 ** 2;
/** Share of a disk that is to be free, up to so many bytes. */
const freeShare = 0.1;
const ampleBytes = 10 * 1024 ** 3;
/** What etcd takes unless it is told otherwise; it refuses writes above it. */
const etcdQuotaBytes = 2 * 1024 ** 3;
const fullShare = 0.8;

const about = 'store';

/** What a server's statistics of its store say: size against disk, and how far back history goes. */
export function checkStore(value: unknown, nowMs: number): readonly Finding[] {
  const { driver, sizeBytes: size, objectCount, compactedRevision, disk, history } = asJsonObject(value);
  const sizeBytes = Number(size);
  const summary = [
    `${asText(driver)} with ${Number(objectCount)} objects in ${formatSize(sizeBytes)}`,
    `history after revision ${Number(compactedRevision)}`,
  ].join(', ');
  const problems = [
    ...(isJsonObject(disk) ? checkDisk(sizeBytes, Number(disk.freeBytes), Number(disk.sizeBytes)) : []),
    ...(driver === 'etcd' ? checkQuota(sizeBytes) : []),
    ...(isJsonObject(history) ? checkHistory(history, nowMs) : []),
  ];
  return [{ level: 'ok', about, message: summary }, ...problems];
}

/** What a server of another kind says of its store among its metrics; nothing when it does not. */
export function checkStoreMetrics(text: string): readonly Finding[] {
  const sizes = Array.from(text.matchAll(/^etcd_db_total_size_in_bytes\S* (\S+)/gm), ([, size]) =>
    Number(size),
  );
  if (sizes.length === 0) return [];
  const sizeBytes = Math.max(...sizes);
  return [{ level: 'ok', about, message: formatSize(sizeBytes) }, ...checkQuota(sizeBytes)];
}

function checkDisk(sizeBytes: number, freeBytes: number, diskBytes: number): readonly Finding[] {
  const room = `${formatSize(freeBytes)} of ${formatSize(diskBytes)} are free on its disk`;
  const next = 'make room, or forget history: orch storage compact';
  if (freeBytes < leastFreeBytes) {
    return [{ level: 'failure', about, message: `${room}: writes are about to be refused`, next }];
  }
  if (freeBytes < sizeBytes) {
    return [{ level: 'warning', about, message: `${room}: not enough for a backup or a check of it`, next }];
  }
  const isScarce = freeBytes < Math.min(diskBytes * freeShare, ampleBytes);
  return [{ level: isScarce ? 'warning' : 'ok', about, message: room, ...(isScarce && { next }) }];
}

function checkQuota(sizeBytes: number): readonly Finding[] {
  if (sizeBytes < etcdQuotaBytes * fullShare) return [];
  const message = `${formatSize(sizeBytes)}: etcd refuses writes above its quota, ${formatSize(etcdQuotaBytes)} unless it was set`;
  return [
    { level: 'warning', about, message, next: 'defragment etcd, or give it a larger --quota-backend-bytes' },
  ];
}

function checkHistory(
  { keptMs, sinceMs, isCut }: Readonly<Record<string, unknown>>,
  nowMs: number,
): readonly Finding[] {
  const wanted = formatHumanDuration(Number(keptMs));
  const reach = `history goes back ${formatHumanDuration(Math.max(0, nowMs - Number(sinceMs)))}`;
  if (keptMs === 0) {
    const message = 'forgets no history, and grows with every change';
    return [{ level: 'warning', about, message, next: 'set --etcd-compaction-interval of the server' }];
  }
  if (isCut !== true) return [];
  const message = `${reach} of the ${wanted} that it is kept for, as it took more bytes than it may`;
  return [{ level: 'warning', about, message, next: 'set --history-megabytes of the server' }];
}
