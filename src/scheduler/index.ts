/**
 * Places pods on nodes, over the API only, like any client. What decides is pure: a `Cluster` of nodes and pods and one pod make
 * a placement or the reasons against it (`placePod`), and which pods would have to go for it (`planPreemption`). Around it a
 * queue, and a loop that writes placements, events and conditions. Filters, scores and texts are those of release 1.20's default
 * profile.
 */
export { Scheduler, type SchedulerOptions } from './scheduler.ts';
