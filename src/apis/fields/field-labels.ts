import { ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
import { metadataFields, type SelectableFields } from '../../machinery/selectors/index.ts';
import data from './labels.json' with { type: 'json' };

/** A label that means itself, or a label and the field that it means. */
type LabelData = string | readonly [label: string, field: string];

/**
 * Labels of custom resources. The same as those of built-in kinds without labels of their own, but release 1.20
 * words the refusal of others as it does for kinds that have some. Only what is in a namespace is selected by it.
 */
export const customResourceFields = ({ namespaced }: { readonly namespaced: boolean }): SelectableFields =>
  namespaced ? namespacedFields : clusterFields;

const namespacedFields: SelectableFields = { labels: new Map(metadataFields.labels) };
const clusterFields: SelectableFields = { labels: new Map([['metadata.name', 'metadata.name']]) };

/**
 * Makes a function that tells which field labels a served kind offers, and the field that each means. For kinds
 * without labels of their own it is `metadataFields`, recognised by identity.
 */
export function createFieldLabels(dialect: Dialect): (kind: GroupVersionKind) => SelectableFields {
  // The inferred type has one shape per entry; every item is one of the two forms of a label.
  const labels = translateData(dialect, ownData<Readonly<Record<string, readonly LabelData[]>>>(data));
  const fieldsOf = new Map<string, SelectableFields>(
    Object.entries(labels).map(([kind, items]) => [
      kind,
      { labels: new Map(items.map(toPair)), ...ownWords(kind) },
    ]),
  );
  return ({ group, version, kind }) =>
    fieldsOf.get(`${formatGroupVersion(group, version)}.${kind}`) ?? metadataFields;
}

/** Kinds of one group name themselves when they refuse a label. */
function ownWords(name: string): Pick<SelectableFields, 'refusalOf'> {
  if (!name.startsWith('batch/')) return {};
  const kind = name === 'batch/v1.Job' ? 'batchv1.Job' : quoteGo(name.replace(/.*\./, ''));
  return { refusalOf: (label) => `field label ${quoteGo(label)} not supported for ${kind}` };
}

function toPair(item: LabelData): readonly [string, string] {
  return typeof item === 'string' ? [item, item] : item;
}
