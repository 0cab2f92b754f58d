import { isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatCompactJson, formatTypedLine } from '../printers/json.ts';
import type { WireObject } from '../resource/api-object.ts';

/** The object with a copy of itself, as text, in its last-applied annotation; an older copy is replaced. */
export function withLastApplied(object: WireObject, dialect: Dialect): WireObject {
  const name = dialect.lastAppliedAnnotation;
  const { [name]: _, ...annotations } = object.metadata.annotations ?? {};
  const bare = { ...object, metadata: { ...object.metadata, annotations } };
  const copy = `${formatCompactJson(bare)}\n`;
  return { ...bare, metadata: { ...bare.metadata, annotations: { ...annotations, [name]: copy } } };
}

/** The same for an object in the form of its type, which has no annotations rather than empty ones. */
export function withTypedConfiguration(object: WireObject, dialect: Dialect): WireObject {
  const copy = formatTypedLine(object);
  const annotations = { ...object.metadata.annotations, [dialect.lastAppliedAnnotation]: copy };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** What was applied last, from a live object; undefined when it carries none or something that is no object. */
export function readLastApplied(live: WireObject, dialect: Dialect): Record<string, unknown> | undefined {
  const text = live.metadata.annotations?.[dialect.lastAppliedAnnotation];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // somebody edited the annotation; apply then knows nothing to remove
  }
}
