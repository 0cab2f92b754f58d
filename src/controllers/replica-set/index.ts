/** Keeps the number of pods of replica sets and of replication controllers, which one engine serves. */
export { decideReplicaStatus, decideReplicas, type ReplicaDecision, type ReplicaOwner } from './decide.ts';
export { comparePodsForDeletion } from './deletion-order.ts';
export { replicaSetController, replicationControllerController } from './replica-set-controller.ts';
