/**
 * Domain-free leaves: clock, logger interface, small algorithms. Imports nothing of the project.
 */
export { addAll } from './add-all.ts';
export { asSocket } from './as-socket.ts';
export { assertNever } from './assert-never.ts';
export { type Clock, systemClock } from './clock.ts';
export { asError, errorCode, errorText, fileErrorText, reasonText } from './error-text.ts';
export { ExpiringCache, type ExpiringCacheOptions } from './expiring-cache.ts';
export { Fifo } from './fifo.ts';
export { fnv1, fnv1a } from './fnv.ts';
export { countObjects, formatSize } from './format-size.ts';
export { decodeHeader, encodeHeader, escapeHeaderName } from './header-text.ts';
export {
  asJsonObject,
  asList,
  asText,
  isJsonObject,
  isRawNumber,
  isStrings,
  type JsonObject,
  ownData,
  ownValue,
  parseExact,
  type RawNumber,
  rawNumber,
  setOwn,
} from './json.ts';
export { isBlank, isDigit, jsonBytes } from './json-bytes.ts';
export { KeyQueue } from './key-queue.ts';
export { type LogFields, type Logger, silentLogger } from './logger.ts';
export { nameSuffixLength, randomNameSuffix } from './name-suffix.ts';
export { namesIn } from './names-in.ts';
export { PathWatch } from './path-watch.ts';
export { makeDirectory, pathOnly } from './paths.ts';
export { keepProcessAlive, pause } from './pause.ts';
export { platformName } from './platform-name.ts';
export { chunksOf, type SpliceOptions, splice } from './splice.ts';
export { type Steps, takeSteps } from './steps.ts';
export {
  createSystemSlices,
  createTimeSlices,
  type Slice,
  type TimeSlices,
  type TimeSlicesOptions,
  takeInSlices,
} from './time-slices.ts';
export { TokenBucket, type TokenBucketOptions } from './token-bucket.ts';
export { createSystemTurns, createTurnQueue, type TurnQueue, type TurnQueueOptions } from './turn-queue.ts';
export {
  renameDurably,
  syncPath,
  type WriteFileAtomicOptions,
  writeFileAtomic,
} from './write-file-atomic.ts';
