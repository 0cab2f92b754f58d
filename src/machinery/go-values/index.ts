/**
 * Texts of Go's basic types as its `strconv` and `time` read and write them: truths and durations. Apart from the other
 * values, because every command line needs them and nothing else of those.
 */
export { parseBool } from './bool.ts';
export {
  DurationError,
  formatDuration,
  formatDurationMs,
  parseDuration,
  parseDurationMs,
} from './duration.ts';
