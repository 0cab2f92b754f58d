/**
 * Texts of Go's basic types as its `strconv` and `time` read and write them: truths, durations and numbers. Apart from the other
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
export {
  formatDouble,
  formatNumber,
  isInteger,
  isJsonNumber,
  type JsonNumber,
  toDouble,
  toInteger,
  truncate,
} from './number.ts';
