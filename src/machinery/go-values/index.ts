/**
 * Texts of Go's basic types as its `strconv`, `time`, `url` and `fmt` read and write them: truths, durations, numbers, URLs,
 * base64, data of any shape. Apart from the other values, because every command line needs them and nothing else of those.
 */
export { base64FaultOffset, canonicalBase64 } from './base64.ts';
export { parseBool } from './bool.ts';
export {
  DurationError,
  formatDuration,
  formatDurationMs,
  parseDuration,
  parseDurationMs,
} from './duration.ts';
export { escapeHtml, escapePath, escapeQuery, redirectPage, relativeUrl } from './escapes.ts';
export { goJson } from './json.ts';
export {
  beyondDoubles,
  formatDouble,
  formatNumber,
  isInteger,
  isJsonNumber,
  type JsonNumber,
  parseInt64,
  toDouble,
  toInteger,
  truncate,
} from './number.ts';
export { showSyntax, showValue, typeName } from './show-value.ts';
export { unquote } from './unquote.ts';
export { parseUrl, UrlError, type UrlParts } from './url.ts';
