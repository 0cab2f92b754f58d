/**
 * Events about pods and the node: who records one hands over what it is about, and goes on. Repeats become counts, many
 * similar ones a summary, floods are cut, as release 1.20 does. It does not decide what is worth an event.
 */
export {
  createEventRecorder,
  type EventRecorderOptions,
  type QueuedEventRecorder,
} from './create-event-recorder.ts';
export {
  type AgentEvent,
  containerFieldPath,
  type EventRecorder,
  type EventSubject,
} from './event-recorder.ts';
