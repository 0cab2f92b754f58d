import { isJsonObject } from '../../../base/index.ts';
import type { Dialect } from '../../dialect.ts';

/** Names of the schema extensions, which carry the product's name. */
export interface ExtensionNames {
  readonly preserve: string;
  readonly embedded: string;
  readonly intOrString: string;
  readonly listType: string;
  readonly listMapKeys: string;
  readonly mapType: string;
  /** Rules of later releases. */
  readonly validations: string;
}

const known = new WeakMap<Dialect, ExtensionNames>();

/** Names in a dialect; made once for each. */
export function extensionNames(dialect: Dialect): ExtensionNames {
  let names = known.get(dialect);
  if (names === undefined) {
    names = {
      preserve: dialect.spell('x-orch-preserve-unknown-fields'),
      embedded: dialect.spell('x-orch-embedded-resource'),
      intOrString: dialect.spell('x-orch-int-or-string'),
      listType: dialect.spell('x-orch-list-type'),
      listMapKeys: dialect.spell('x-orch-list-map-keys'),
      mapType: dialect.spell('x-orch-map-type'),
      validations: dialect.spell('x-orch-validations'),
    };
    known.set(dialect, names);
  }
  return names;
}

/** A schema read by key, since some of its keys depend on the dialect. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** A member that is a schema, if it is one. */
export function schemaAt(node: SchemaNode, field: string): SchemaNode | undefined {
  const value = node[field];
  return isJsonObject(value) ? value : undefined;
}

/** A member that is a list of schemas. */
export function schemasAt(node: SchemaNode, field: string): readonly SchemaNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A member that is a list of texts. */
export function textsAt(node: SchemaNode, field: string): readonly string[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A member that is text, or no text. */
export function textAt(node: SchemaNode, field: string): string {
  const value = node[field];
  return typeof value === 'string' ? value : '';
}
