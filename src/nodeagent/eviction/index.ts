/**
 * What happens when the node runs out of memory, disk or processes: signals, thresholds with grace, minimum reclaim and
 * transition periods, pure ranking of pods, the verdicts and their texts, and limits of local storage. After the
 * eviction of release 1.20. It stops no containers itself: `evict` of the options does.
 */
export type { EvictionManager, EvictionOptions } from './eviction-manager.ts';
export { explainEviction } from './explain-eviction.ts';
export type { ContainerUsage, DiskUsage, PodUsage, VolumeUsage } from './pod-usage.ts';
export { type RankedPod, type RankOptions, rankPods } from './rank-pods.ts';
export { startEvictionManager } from './start-eviction-manager.ts';
export { storageViolation } from './storage-limits.ts';
