/**
 * What happens when the node runs out of memory, disk or processes: signals, thresholds with grace, minimum reclaim and
 * transition periods, pure ranking of pods, the verdicts and their texts, and limits of local storage. After the eviction
 * of the reference, release 1.20. It stops no containers itself: it asks for it.
 */
export type { EvictionManager, EvictionOptions, VolumeUsage } from './eviction-manager.ts';
export { startEvictionManager } from './start-eviction-manager.ts';
