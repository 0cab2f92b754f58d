import { asJsonObject, type JsonObject } from '../../base/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { apiVersionOf } from './target.ts';

/** An object as it comes from the wire: any fields beside those that all kinds share. */
export type WireObject = ApiObject & Readonly<Record<string, unknown>>;

/** True for a map with kind, apiVersion and metadata where they should be. */
export function isWireObject(value: unknown): value is WireObject {
  const { kind, apiVersion, metadata } = asJsonObject(value);
  return (
    typeof kind === 'string' &&
    typeof apiVersion === 'string' &&
    typeof metadata === 'object' &&
    metadata !== null
  );
}

/** What is not set of the two texts that say what an object is; the kind counts first. */
export function listMissingIdentity(object: JsonObject): readonly ('kind' | 'apiVersion')[] {
  return (['kind', 'apiVersion'] as const).filter(
    (name) => typeof object[name] !== 'string' || object[name] === '',
  );
}

/** The object without the record of who set which field, which only servers write. */
export function withoutManagedFields(object: WireObject): WireObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Items of a list's answer; servers leave kind and version out of them, so they are filled in here. */
export function listItems(list: unknown, resource: DiscoveredResource): WireObject[] {
  const { items } = asJsonObject(list);
  if (!Array.isArray(items)) return [];
  return items.map((item: Record<string, unknown>) => ({
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...item,
    metadata: (item.metadata ?? {}) as ApiObject['metadata'], // what a server calls metadata
  }));
}
