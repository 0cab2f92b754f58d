/**
 * Shutdowns of the machine: the agent has systemd-logind delay them, hears of them over the system bus, and ends its
 * pods first, critical ones last. It decides nothing about admission and the node's readiness, but has the texts for
 * both. After the graceful node shutdown of the agent of release 1.20; it also takes up a bus that comes back.
 */
export {
  type NodeShutdown,
  planShutdown,
  type ShutdownPeriods,
  type ShutdownPhase,
  shutdownProblem,
  shutdownRefusal,
  shutdownVerdict,
} from './plan-shutdown.ts';
export { type ShutdownOptions, startShutdownManager } from './shutdown-manager.ts';
