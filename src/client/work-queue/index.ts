/**
 * A queue of keys for controllers: each key once, never in work twice at a time, failures tried again later. It
 * knows nothing of objects.
 */
export type { WorkQueueMetrics } from './queue-times.ts';
export { createWorkQueue, type WorkQueue, type WorkQueueOptions } from './work-queue.ts';
