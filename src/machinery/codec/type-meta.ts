import type { JsonObject } from '../../base/index.ts';

/** What an object says that it is; empty where it does not say. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
  /** The first of the two that is no text, as it is named in messages. */
  readonly misfit?: { readonly name: keyof TypeMetaNames; readonly value: unknown } | undefined;
}

interface TypeMetaNames {
  readonly apiVersion: unknown;
  readonly kind: unknown;
}

/** Kind and version as Go's reader of JSON finds them: whatever the case of their names, and the last one counts. */
export function readTypeMeta(value: JsonObject): TypeMeta {
  const found = { apiVersion: '', kind: '' };
  let misfit: TypeMeta['misfit'];
  for (const written in value) {
    const name = nameOf(written);
    if (name === undefined) continue;
    const item = value[written];
    if (typeof item === 'string') found[name] = item;
    else if (item !== null && item !== undefined) misfit ??= { name, value: item };
  }
  return { ...found, misfit };
}

function nameOf(written: string): keyof TypeMetaNames | undefined {
  if (written === 'apiVersion' || written === 'kind') return written;
  // Of other names none is so long when its case is changed.
  if (written.length !== 10 && written.length !== 4) return undefined;
  const folded = written.toLowerCase().replace('\u017f', 's');
  return folded === 'apiversion' ? 'apiVersion' : folded === 'kind' ? 'kind' : undefined;
}
