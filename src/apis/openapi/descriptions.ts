import definitions from './descriptions/definitions.json' with { type: 'json' };
import flowControl from './descriptions/flow-control.json' with { type: 'json' };
import metadata from './descriptions/metadata.json' with { type: 'json' };
import metrics from './descriptions/metrics.json' with { type: 'json' };
import others from './descriptions/others.json' with { type: 'json' };
import pods from './descriptions/pods.json' with { type: 'json' };
import policies from './descriptions/policies.json' with { type: 'json' };
import securityPolicies from './descriptions/security-policies.json' with { type: 'json' };
import services from './descriptions/services.json' with { type: 'json' };
import volumeSources from './descriptions/volume-sources.json' with { type: 'json' };
import volumes from './descriptions/volumes.json' with { type: 'json' };
import workloads from './descriptions/workloads.json' with { type: 'json' };
import { closedValues, type SchemaField } from './type-source.ts';

/** Sentences by type; `''` is the type itself, the other keys are its fields. */
type Sentences = Readonly<Record<string, Readonly<Record<string, string>>>>;

const sentences: Sentences = {
  ...pods,
  ...volumes,
  ...services,
  ...workloads,
  ...policies,
  ...definitions,
  ...flowControl,
  ...metrics,
  ...securityPolicies,
  ...volumeSources,
  ...others,
  ...metadata,
};
/** Said of fields with these names wherever nothing else is said. */
const common: Readonly<Record<string, string>> = sentences['*'] ?? {};

/** Sentences by group and kind, so that one version speaks for its group's others. */
const byKind = new Map<string, Readonly<Record<string, string>>>();
for (const [name, entry] of Object.entries(sentences)) {
  const key = withoutVersion(name);
  byKind.set(key, { ...byKind.get(key), ...entry });
}

function withoutVersion(typeName: string): string {
  return typeName.replace(/(^|\/)v\d+(?:(?:alpha|beta)\d+)?\./, '$1');
}

/** What is said of a field, or of the type itself (`''`), by the type's own version or by another. */
function findSentence(typeName: string, field: string): string | undefined {
  const key = withoutVersion(typeName);
  // Workloads and policies were once part of the group `extensions`.
  const moved = key.replace(/^extensions\//, 'networking.orch.io/');
  return sentences[typeName]?.[field] ?? byKind.get(key)?.[field] ?? byKind.get(moved)?.[field];
}

/** What a type is for, in one sentence; undefined when nobody wrote one. */
export function describeType(typeName: string): string | undefined {
  const own = findSentence(typeName, '') ?? findSentence(similarType(typeName) ?? '', '');
  if (own !== undefined) return own;
  if (typeName.endsWith('Condition')) return 'A fact about the object: true, false or unknown.';
  const list = /^(.*\.(\w+))List$/.exec(typeName);
  return list === null ? undefined : `A list of objects of kind ${list[2]}.`;
}

/** A type that has the same fields, and more to say about them. */
function similarType(typeName: string): string | undefined {
  if (typeName === 'v1.EphemeralContainer') return 'v1.Container';
  if (typeName === 'v1.PersistentVolumeSpec') return 'v1.Volume';
  const similar = typeName.replace('PersistentVolumeSource', 'VolumeSource');
  return similar === typeName ? undefined : similar;
}

/** `List of network policies.`: what tools look for that search the document for a kind. */
function describeItems(typeName: string, field: string): string | undefined {
  const [, kind] = /(?:^|\.)(\w+)List$/.exec(typeName) ?? [];
  if (kind === undefined || field !== 'items') return undefined;
  const words = kind.match(/[A-Z]+(?![a-z])|[A-Z][a-z\d]*/g) ?? [kind];
  const text = words.map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase())).join(' ');
  return `List of ${pluralOf(text)}.`;
}

function pluralOf(text: string): string {
  if (/(ss|tus)$/.test(text)) return `${text}es`;
  if (text.endsWith('s')) return text;
  return text.endsWith('y') ? `${text.slice(0, -1)}ies` : `${text}s`;
}

/** What a field is for, with the values that it may have when they are few and fixed. */
export function describeField(typeName: string, field: SchemaField): string | undefined {
  const text =
    findSentence(typeName, field.n) ??
    findSentence(similarType(typeName) ?? '', field.n) ??
    describeItems(typeName, field.n) ??
    (field.n === 'type' && typeName.endsWith('Condition') ? 'What it tells of.' : common[field.n]);
  const values = field.e === undefined ? undefined : closedValues(field.e);
  if (values === undefined) return text;
  const list = `One of: ${values.map((value) => (value === '' ? '""' : value)).join(', ')}.`;
  return text === undefined ? list : `${text} ${list}`;
}
