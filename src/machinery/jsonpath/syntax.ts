/** A piece of a template. `path` steps apply one after another to all values found so far. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly steps: readonly Step[] }
  | { readonly kind: 'range'; readonly steps: readonly Step[]; readonly body: readonly TemplateNode[] };

/** One step of a path. */
export type Step =
  | { readonly kind: 'root' }
  | { readonly kind: 'current' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step?: number }
  | { readonly kind: 'union'; readonly members: readonly (readonly Step[])[] }
  | {
      readonly kind: 'filter';
      readonly left: Operand;
      readonly operator: FilterOperator;
      readonly right?: Operand;
    };

/** How a filter compares; `exists` has no right side. */
export type FilterOperator = 'exists' | '==' | '!=' | '<' | '<=' | '>' | '>=';

/** Side of a filter: a path from the item, or a constant. */
export type Operand =
  | { readonly kind: 'path'; readonly steps: readonly Step[] }
  | { readonly kind: 'constant'; readonly value: string | number | boolean };

/** A template that makes no sense, or does not fit its object. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
