import type { CodecShape } from '../../schema/codec.ts';
import type { Reader } from './reader.ts';
import type { WireType } from './wire.ts';
import type { BackwardWriter } from './writer.ts';

/** Functions for the values of one type, between canonical JSON and the wire. */
export interface ValueCodec {
  readonly wire: WireType;
  /** What the value counts as in JSON. */
  readonly shape: CodecShape;
  /** True when gogo/protobuf leaves the value out while it is null, though the field is not nullable. */
  readonly isNilable?: boolean;
  /** Writes the value, with its length where it has one; null and undefined as the zero value. */
  write(out: BackwardWriter, value: unknown): void;
  /** Reads the value. Where the wire type has a length, it is read already, and the value ends at `end`. */
  read(input: Reader, end: number): unknown;
  /** The value of a message whose bytes come in several parts (start, end, start, end, ...), merged. */
  merge?(input: Reader, parts: readonly number[]): unknown;
  /** A fresh zero value in canonical form. */
  zero(): unknown;
}
