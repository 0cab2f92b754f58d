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

/** How the slow walk of `explain.ts` takes a value apart; it follows json-iterator's decoder. */
export type Explanation =
  /** The reason is thrown by `check` as a `Reason`. */
  | { readonly kind: 'leaf'; check(value: unknown): void }
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

/** Why a leaf does not fit, in the words of json-iterator's decoder (`operation: message`). */
export class Reason extends Error {
  override readonly name = 'Reason';
  /** True when json-iterator's reader loses its place after it, so that later fields add nothing. */
  readonly derails: boolean;

  constructor(message: string, options: { derails: boolean }) {
    super(message);
    this.derails = options.derails;
  }
}

/** A leaf that json-iterator reads only in part, and without a word: whatever holds the leaf trips over what is left. */
export class Leftover extends Error {
  override readonly name = 'Leftover';
  /** First character of what is left. */
  readonly character: string;

  constructor(character: string) {
    super(`unread: ${character}`);
    this.character = character;
  }
}
