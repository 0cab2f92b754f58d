/**
 * Nodes whose agents fell silent are marked, and so are their pods; taints say what conditions call for, keep new pods away, and evict
 * those that are there, zone by zone and not too many at a time. It starts no pod anywhere else: that is the work of their owners.
 */
export { decideLabels, decideTaints, withEvictionTaint } from './decide.ts';
export { afterWrite, decideHealth, type NodeHealth } from './health.ts';
export { nodeLifecycleController } from './node-lifecycle-controller.ts';
export { toleratedForMs } from './tolerance.ts';
export { decideZones, isLeftOut, type ZoneState, zoneOf } from './zones.ts';
