/**
 * What the API server learns of the pods on this node: their statuses, the end of deleted ones, and mirror pods of the
 * static ones. It writes what it is told, no more often than something changed, and tries again until it is written; it
 * decides no status. After the status manager and the mirror client of the agent of release 1.20.
 */
export { createPodReports, type PodReports, type PodReportsOptions } from './pod-reports.ts';
export { type StatusPatch, statusPatch } from './status-patch.ts';
