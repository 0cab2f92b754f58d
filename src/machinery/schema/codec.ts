import type { FieldData } from './type-data.ts';

/** What a decoded value counts as, for leaving empty fields out. */
export type CodecShape = 'scalar' | 'list' | 'map' | 'struct';

/** Functions for the values of one type. Values given to `decode` are neither null nor undefined. */
export interface Codec {
  readonly shape: CodecShape;
  /** Canonical form. @throws Mismatch (without words; `explain` has them). */
  decode(value: unknown): unknown;
  /** A fresh zero value in canonical form, as a non-nullable field without a value writes it. */
  zero(): unknown;
  /** Says in json-iterator's words what is wrong with the value. */
  readonly explain: Explanation;
}

/** How `explain.ts` reads a value, as json-iterator's decoder of the type does. */
export type Explanation =
  | { readonly kind: 'string' | 'bool' }
  | { readonly kind: 'integer'; readonly bits: 32 | 64 }
  /** `beyond` says what is wrong with a number that no double can hold. */
  | { readonly kind: 'double'; readonly beyond: (digits: string) => string }
  /** `faultOf` says what is wrong with a text that is no base64. */
  | { readonly kind: 'bytes'; readonly faultOf: (text: string) => string | undefined }
  /** A type that reads its own JSON. `check` throws what its reader says. */
  | { readonly kind: 'own'; readonly check: (value: unknown) => void }
  | { readonly kind: 'list'; readonly goName: string; readonly element: () => Codec }
  | { readonly kind: 'map'; readonly element: () => Codec }
  | { readonly kind: 'struct'; readonly goName: string; readonly fields: () => readonly ExplainedField[] };

/** A field with what the walk needs: its Go names and its codec. */
export interface ExplainedField {
  readonly data: FieldData;
  /** For example `Name`, or `TypeMeta: Kind` for a field of an embedded type. */
  readonly goPath: readonly string[];
  readonly codec: Codec;
}
