import { isRawNumber } from '../../../base/index.ts';
import { expectWire, type FieldSink, readFields } from './fields.ts';
import { formatSeconds, parseMicroseconds, parseSeconds, zeroTimeSeconds } from './timestamp.ts';
import type { ValueCodec } from './value-codec.ts';
import { wireBytes, wireVarint } from './wire.ts';

/** Tags of seconds and nanoseconds. */
const secondsTag = 0x08;
const nanosTag = 0x10;

interface TimeForm {
  parse(text: string): { seconds: number; micros: number };
  /** Null for the zero time. */
  format(seconds: number, nanos: number): string | null;
}

/** Message of seconds and nanoseconds, both always written; the zero time is an empty message. */
function timeCodec({ parse, format }: TimeForm): ValueCodec {
  // One reading at a time: a time holds no other message.
  let seconds = 0;
  let nanos = 0;
  const sink: FieldSink = {
    typeName: 'Timestamp',
    take(input, fieldNumber, wire) {
      if (fieldNumber > 2) return false;
      expectWire(wire, wireVarint, fieldNumber === 1 ? 'Seconds' : 'Nanos');
      if (fieldNumber === 1) {
        const value = input.int64();
        // So far away there is no year that could be written; rounding does not matter.
        seconds = isRawNumber(value) ? Number(value.rawJSON) : value;
      } else nanos = input.int32();
      return true;
    },
  };
  return {
    wire: wireBytes,
    shape: 'struct',
    write(out, value) {
      if (value === null || value === undefined) return out.varint(0);
      if (typeof value !== 'string') throw new TypeError(`encode in Protobuf: not a time: ${typeof value}`);
      const time = parse(value);
      if (time.seconds === zeroTimeSeconds && time.micros === 0) return out.varint(0);
      const before = out.size;
      out.varint(time.micros * 1000);
      out.byte(nanosTag);
      out.int64(time.seconds);
      out.byte(secondsTag);
      out.varint(out.size - before);
    },
    read(input, end) {
      if (input.at === end) return null;
      seconds = 0;
      nanos = 0;
      input.limit = end;
      readFields(input, sink);
      return format(seconds, nanos);
    },
    zero: () => null,
  };
}

/** A codec of times in whole seconds; nanoseconds are written as zero and not read. */
export function createTimeCodec(): ValueCodec {
  return timeCodec({
    parse: (text) => ({ seconds: parseSeconds(text), micros: 0 }),
    format: (seconds) => (seconds === zeroTimeSeconds ? null : `${formatSeconds(seconds)}Z`),
  });
}

/** A codec of times in microseconds. */
export function createMicroTimeCodec(): ValueCodec {
  return timeCodec({ parse: parseMicroseconds, format: formatMicros });
}

function formatMicros(seconds: number, nanos: number): string | null {
  // Cut toward zero, then carried into the seconds: the order of apimachinery's arithmetic.
  const cut = Math.trunc(nanos / 1000);
  const carried = Math.floor(cut / 1_000_000);
  const micros = cut - carried * 1_000_000;
  const whole = seconds + carried;
  if (whole === zeroTimeSeconds && micros === 0) return null;
  return `${formatSeconds(whole)}.${String(micros).padStart(6, '0')}Z`;
}
