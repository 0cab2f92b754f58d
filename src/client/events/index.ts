/**
 * Writes events: who records one goes on. Repeats become counts, many similar ones a summary, floods are cut, as release 1.20
 * does. It does not decide what is worth an event.
 */
export { EventQueue, type EventQueueOptions, type QueuedEvent } from './event-queue.ts';
