import type { ContainerStats, FilesystemUsage, Image } from '../runtime/index.ts';
import type {
  ContainerStats as ContainerStatsMessage,
  FilesystemUsage as FilesystemUsageMessage,
  Image as ImageMessage,
} from './messages.ts';
import { toNumber } from './protocol.ts';
import { readContainerMetadata } from './read-container.ts';
import { readOptionalNumber, readTimeMs } from './read-values.ts';

/** An image of a list. */
export function readImage(message: ImageMessage): Image {
  return {
    id: message.id,
    tags: message.repo_tags,
    digests: message.repo_digests,
    sizeBytes: toNumber(message.size),
    userId: readOptionalNumber(message.uid),
    username: message.username,
  };
}

/** How full a file system is. */
export function readFilesystem(message: FilesystemUsageMessage): FilesystemUsage {
  return {
    atMs: readTimeMs(message.timestamp),
    mountpoint: message.fs_id?.mountpoint ?? '',
    usedBytes: readOptionalNumber(message.used_bytes) ?? 0,
    inodesUsed: readOptionalNumber(message.inodes_used) ?? 0,
  };
}

/** What a container uses; undefined for figures of nothing. */
export function readStats(message: ContainerStatsMessage): ContainerStats | undefined {
  const { attributes, cpu, memory, writable_layer } = message;
  if (attributes === null) return undefined;
  const usageCoreNs = readOptionalNumber(cpu?.usage_core_nano_seconds ?? null);
  const workingSetBytes = readOptionalNumber(memory?.working_set_bytes ?? null);
  return {
    id: attributes.id,
    metadata: readContainerMetadata(attributes.metadata),
    labels: attributes.labels,
    annotations: attributes.annotations,
    cpu: cpu && usageCoreNs !== undefined ? { atMs: readTimeMs(cpu.timestamp), usageCoreNs } : undefined,
    memory:
      memory && workingSetBytes !== undefined
        ? { atMs: readTimeMs(memory.timestamp), workingSetBytes }
        : undefined,
    writableLayer: writable_layer === null ? undefined : readFilesystem(writable_layer),
  };
}
