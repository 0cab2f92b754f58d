/**
 * The garbage collector: a graph of owners and dependents over all resources (`graph`, pure), decisions about single
 * objects (`decide`, pure), and a thin shell that follows the server (`monitors`) and acts (`collector`). It makes no
 * objects and knows kinds only from discovery.
 */
export { AbsentOwners } from './absent-owners.ts';
export { type Collector, type CollectorOptions, createCollector } from './collector.ts';
export {
  type Decision,
  type DependentFacts,
  decide,
  type OwnerFinding,
  type OwnerState,
  ownerState,
} from './decide.ts';
export { garbageCollectorController } from './garbage-collector-controller.ts';
export { DependencyGraph, type GraphWork } from './graph.ts';
export { type LiveObjects, OwnerOutOfReach } from './live-objects.ts';
export { GraphNode, type Identity, type ObservedObject } from './node.ts';
export { followedResources, mapKinds, planMonitors } from './resource-map.ts';
