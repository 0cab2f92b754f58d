import type { JsonNumber } from '../go-values/index.ts';

/** A piece of a template: text, or what stands between two braces. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly steps: readonly Step[] };

/** One step of an action. Steps apply one after another to all values found so far. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: JsonNumber; readonly isWhole: boolean }
  | { readonly kind: 'truth'; readonly value: boolean }
  /** `range` and `end`, or a mistake, which shows when the template is used. */
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | SliceStep
  | { readonly kind: 'union'; readonly members: readonly (readonly Step[])[] }
  | FilterStep;

/** Elements of a list: `[2]`, `[-1]`, `[1:3]`, `[::2]`, `[*]`. */
export interface SliceStep {
  readonly kind: 'slice';
  /** The first element, counted from the end when negative; 0 when it is not said. */
  readonly start: number | undefined;
  /** Behind the last element; the end of the list when it is not said. */
  readonly end: number | undefined;
  readonly stride: number | undefined;
  /** A single index, whose end follows from its start: that of -1 is the end of the list. */
  readonly isIndex: boolean;
}

/** Elements of a list of which something is true: `[?(@.a=="b")]`. */
export interface FilterStep {
  readonly kind: 'filter';
  readonly left: readonly Step[];
  /** As it is written; `exists` has no right side. Unknown ones show when the template is used. */
  readonly operator: string;
  readonly right: readonly Step[];
}

/** A template that makes no sense, or does not fit its object. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
