import { quoteGo } from '../errors/index.ts';
import { createFieldSelector, type FieldSelector } from './field-selector.ts';
import { SelectorError } from './selector-error.ts';

/** Which field labels a kind offers, and under which name its objects' fields are looked up. */
export interface SelectableFields {
  /** Field label to the field that it means (usually itself). */
  readonly labels: ReadonlyMap<string, string>;
  /** What is said of other labels, where release 1.20 says it in words of its own. */
  refusalOf?(label: string): string;
}

/** What kinds without field labels of their own offer. */
export const metadataFields: SelectableFields = {
  labels: new Map([
    ['metadata.name', 'metadata.name'],
    ['metadata.namespace', 'metadata.namespace'],
  ]),
};

/**
 * The selector with every field label replaced by the field that it means.
 *
 * @throws SelectorError with apimachinery's text for a label that the kind does not offer.
 */
export function resolveFieldSelector(selector: FieldSelector, fields: SelectableFields): FieldSelector {
  if (selector.isEmpty) return selector;
  const terms = selector.terms
    // A term without field and value says nothing.
    .filter((term) => term.field !== '' || term.value !== '')
    .map((term) => ({ ...term, field: fields.labels.get(term.field) ?? refuse(term.field, fields) }));
  return createFieldSelector(terms);
}

function refuse(label: string, fields: SelectableFields): never {
  if (fields.refusalOf !== undefined) throw new SelectorError(fields.refusalOf(label));
  if (fields !== metadataFields) throw new SelectorError(`field label not supported: ${label}`);
  const known = [...fields.labels.keys()].map(quoteGo).join(', ');
  throw new SelectorError(`${quoteGo(label)} is not a known field selector: only ${known}`);
}
