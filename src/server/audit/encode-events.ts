import { decodeBody } from '../../machinery/codec/index.ts';
import { decodeEnvelope, hasEnvelope, type ProtobufCompiler } from '../../machinery/codec/protobuf/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import { type EventContext, formatEvent, type PendingEvent, type ReadRecordedBody } from './audit-event.ts';

/** Limits of what is recorded; undefined is none. */
export interface TruncateLimits {
  /** Bytes of one event: a larger one goes without objects, and not at all when that does not help. */
  readonly maxEventBytes: number;
  /** Bytes of one batch. */
  readonly maxBatchBytes: number;
}

/** How events are encoded. `onLost` is called for each that cannot be written. */
export interface EventEncoder {
  readonly context: EventContext;
  readonly limits: TruncateLimits | undefined;
  /** Name of the annotation of what was cut. */
  readonly truncated: string;
  readonly onLost: (reason: string) => void;
}

/** The event as JSON, on one line; undefined for one that cannot be written. */
export function encodeEvent(
  event: PendingEvent,
  { context, limits, truncated, onLost }: EventEncoder,
): string | undefined {
  const whole = formatEvent(event, context);
  const isCut = whole !== undefined && isTooLarge(whole, limits);
  const json = isCut ? formatEvent(event, { ...context, truncated }) : whole;
  if (json === undefined) onLost('the patch of the request is no JSON');
  else if (isCut && isTooLarge(json, limits)) {
    onLost('event is too large even after truncating');
    return undefined;
  }
  return json;
}

/** The encoded events in batches that are no larger than they may be. */
export function batchesOf(events: readonly string[], limits: TruncateLimits | undefined): string[][] {
  const batches: string[][] = [];
  let batchBytes = Number.POSITIVE_INFINITY;
  for (const json of events) {
    const bytes = limits === undefined ? 0 : sizeOf(json);
    if (batchBytes + bytes > (limits?.maxBatchBytes ?? Number.MAX_VALUE)) {
      batches.push([]);
      batchBytes = 0;
    }
    batches.at(-1)?.push(json);
    batchBytes += bytes;
  }
  return batches;
}

const isTooLarge = (json: string, limits: TruncateLimits | undefined): boolean =>
  limits !== undefined && sizeOf(json) > limits.maxEventBytes;

/** As a line. */
const sizeOf = (json: string): number => Buffer.byteLength(json) + 1;

/** Makes the reader of recorded answers: Protobuf by its prefix, JSON, and YAML, which all other text is. */
export function createBodyReader(protobuf: ProtobufCompiler): ReadRecordedBody {
  return (bytes) => {
    try {
      if (!hasEnvelope(bytes)) return readText(bytes);
      const value = readMessage(bytes, protobuf);
      return value === undefined ? undefined : JSON.stringify(value);
    } catch {
      // What cannot be read was no object.
      return undefined;
    }
  };
}

function readMessage(bytes: Buffer, protobuf: ProtobufCompiler): unknown {
  const { raw, kind, apiVersion } = decodeEnvelope(bytes);
  const named = parseGroupVersion(apiVersion);
  if (named === undefined || !protobuf.hasKind({ ...named, kind })) return undefined;
  return protobuf.kind({ ...named, kind }).decode(raw, { kind, apiVersion });
}

/** JSON of an object on one line, as it is mostly written, is taken as it is. */
function readText(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8').trimEnd();
  if (text.startsWith('{"kind":"') && !text.includes('\n')) return text;
  const value = decodeBody(bytes, text.startsWith('{') ? 'json' : 'yaml');
  const isObject = typeof value === 'object' && value !== null && 'kind' in value;
  return isObject ? JSON.stringify(value) : undefined;
}
