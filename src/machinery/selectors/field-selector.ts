/** One condition on one field: equal to `value`, or different from it. */
export interface FieldTerm {
  readonly field: string;
  readonly isNegated: boolean;
  readonly value: string;
}

/** A field selector, made once and matched often. */
export interface FieldSelector {
  /** True when every object matches. */
  readonly isEmpty: boolean;
  /** Conditions that must all hold. */
  readonly terms: readonly FieldTerm[];
  /** True when an object with these fields is selected; a field that is not there is empty. */
  matches(fields: Readonly<Record<string, string>>): boolean;
  /** The value that a field must have, if one is demanded: what an index can look up. */
  requiredValue(field: string): string | undefined;
  /** Query syntax that means the same. */
  toString(): string;
}

/** The selector that wants all of `terms`. */
export function createFieldSelector(terms: readonly FieldTerm[]): FieldSelector {
  return {
    isEmpty: terms.length === 0,
    terms,
    matches(fields) {
      for (const term of terms) {
        const value: unknown = fields[term.field];
        if ((typeof value === 'string' ? value : '') === term.value ? term.isNegated : !term.isNegated) {
          return false;
        }
      }
      return true;
    },
    requiredValue: (field) => terms.find((term) => term.field === field && !term.isNegated)?.value,
    toString: () => terms.map(formatTerm).join(','),
  };
}

/** Selects every object. */
export const everyField: FieldSelector = createFieldSelector([]);

const formatTerm = ({ field, isNegated, value }: FieldTerm): string =>
  `${field}${isNegated ? '!=' : '='}${escapeFieldValue(value)}`;

/** Writes a value so that query syntax takes it literally. */
export const escapeFieldValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');
