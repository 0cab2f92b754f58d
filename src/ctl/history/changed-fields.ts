import { isDeepStrictEqual } from 'node:util';
import { asJsonObject, isJsonObject, type JsonObject } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';

/** A field that differs between two versions of an object; undefined where it is not there. */
export interface FieldChange {
  /** `spec.containers[name=web].image`, `metadata.labels["a.b/c"]`. */
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
  /** Before and after, of single values; not of secrets. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Fields that the server writes with every change and that say nothing of it. */
const serverFields = ['resourceVersion', 'managedFields', 'generation', 'selfLink', 'uid'];

/**
 * What differs between two versions of an object, in the order of its fields. Values of secrets are left out, as is
 * everywhere the annotation `lastApplied`, which repeats other fields.
 */
export function listChanges(
  before: WireObject,
  after: WireObject,
  lastApplied: string,
): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  collect(changes, '', strip(before, lastApplied), strip(after, lastApplied));
  const isSecret = after.kind === 'Secret' && after.apiVersion === 'v1';
  return isSecret ? changes.map(({ path, kind }) => ({ path, kind })) : changes;
}

function strip(object: WireObject, lastApplied: string): JsonObject {
  const { annotations = {}, ...metadata } = object.metadata;
  const own = Object.entries(metadata).filter(([name]) => !serverFields.includes(name));
  const notes = Object.entries(annotations).filter(([name]) => name !== lastApplied);
  return { ...object, metadata: { ...Object.fromEntries(own), annotations: Object.fromEntries(notes) } };
}

function collect(changes: FieldChange[], path: string, before: unknown, after: unknown): void {
  if (isDeepStrictEqual(before, after)) return;
  const isMap = isJsonObject(before) && isJsonObject(after);
  if (isMap || (before === undefined && isFlat(after)) || (after === undefined && isFlat(before))) {
    const [old, present] = [asJsonObject(before), asJsonObject(after)];
    for (const key of new Set([...Object.keys(old), ...Object.keys(present)])) {
      collect(changes, joinKey(path, key), old[key], present[key]);
    }
    return;
  }
  const [named, others] = [byName(before), byName(after)];
  if (named !== undefined && others !== undefined) {
    const count = changes.length;
    for (const name of new Set([...named.keys(), ...others.keys()])) {
      collect(changes, `${path}[name=${name}]`, named.get(name), others.get(name));
    }
    // The same elements in another order.
    if (changes.length === count) changes.push({ path, kind: 'changed' });
    return;
  }
  changes.push({
    path,
    kind: kindOf(before, after),
    ...sideValue('before', before),
    ...sideValue('after', after),
  });
}

/** Labels, say, which are shown one by one when they come and go together. */
function isFlat(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const values = Object.values(value);
  return values.length > 0 && values.every((one) => typeof one !== 'object' || one === null);
}

function kindOf(before: unknown, after: unknown): FieldChange['kind'] {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

function sideValue(side: 'before' | 'after', value: unknown): object {
  return value === undefined || (typeof value === 'object' && value !== null) ? {} : { [side]: value };
}

/** Elements by their names, where all have one of their own. */
function byName(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(value)) return undefined;
  const named = new Map<string, unknown>();
  for (const element of value) {
    if (!isJsonObject(element) || typeof element.name !== 'string') return undefined;
    named.set(element.name, element);
  }
  return named.size === value.length && value.length > 0 ? named : undefined;
}

function joinKey(path: string, key: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
