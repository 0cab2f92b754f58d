import type { Absent, Empty } from '../../schema/struct.ts';
import type { ValueCodec } from './value-codec.ts';

/** How often a field holds a value, and where the value stands in JSON. */
export type FieldForm =
  /** Once; null is the zero value. */
  | 'value'
  /** Once or not at all. */
  | 'optional'
  | 'list'
  | 'map'
  /** Once; its fields stand flat in the object around it. */
  | 'inline';

/** A field as Protobuf has it. */
export interface WireField {
  /** JSON name. */
  readonly name: string;
  /** The Go name, for error texts. */
  readonly goName: string;
  readonly form: FieldForm;
  /** Place of the field among those of its message. */
  readonly slot: number;
  readonly number: number;
  readonly tag: number;
  /** Of the value, an element or an entry's value. */
  readonly codec: ValueCodec;
  /** True for a single text, which is most fields. */
  readonly isText: boolean;
  /** Tag and zero value of a field of form `value`, made when first needed. */
  zeroBytes?: Uint8Array;
}

/** A field as JSON has it, and where its value comes from. */
export interface JsonField {
  readonly name: string;
  /** A field's slot, the inlined message in a slot, or the envelope. */
  readonly source: 'slot' | 'inline' | 'apiVersion' | 'kind';
  readonly slot: number;
  readonly absent: Absent;
  readonly empty: Empty;
  readonly zero: () => unknown;
}

/** What a message is made of. */
export interface MessagePlan {
  /** Without its group and version. */
  readonly typeName: string;
  /** By ascending number. */
  readonly wireFields: readonly WireField[];
  /** Those whose value is made when all of the message is read: maps and messages. */
  readonly lateFields: readonly WireField[];
  /** The same by number; where a number is not used there is nothing. */
  readonly byNumber: readonly (WireField | undefined)[];
  /** In the order of JSON. */
  readonly jsonFields: readonly JsonField[];
}
