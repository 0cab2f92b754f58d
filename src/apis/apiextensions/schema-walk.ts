import { isJsonObject } from '../../base/index.ts';
import { type FieldPath, fieldPath } from '../../machinery/errors/index.ts';
import {
  type ExtensionNames,
  type SchemaNode,
  schemaAt,
  schemasAt,
  textsAt,
} from '../../machinery/schema/structural/index.ts';
import type { CustomResourceDefinitionSpec } from '../types/apiextensions-v1beta1.ts';

/** A schema below another one: the field that holds it, its name there, and its path. */
export interface ChildSchema {
  readonly field: string;
  readonly name: string;
  readonly node: SchemaNode;
  readonly path: FieldPath;
}

/** Fields that hold schemas, in the order in which release 1.20 comes to them, and how they hold them. */
const fields: readonly (readonly [field: string, ...ways: ('one' | 'named' | 'listed')[]])[] = [
  ['additionalProperties', 'one'],
  ['properties', 'named'],
  ['patternProperties', 'named'],
  ['additionalItems', 'one'],
  ['not', 'one'],
  ['allOf', 'listed'],
  ['oneOf', 'listed'],
  ['anyOf', 'listed'],
  ['definitions', 'named'],
  ['items', 'one', 'listed'],
  ['dependencies', 'named'],
];
const none: readonly ChildSchema[] = [];

/** The schemas right below one, in the order in which release 1.20 comes to them. */
export function childSchemas(parent: SchemaNode, path: FieldPath): readonly ChildSchema[] {
  let found: ChildSchema[] | undefined;
  for (const [field, ...ways] of fields) {
    const value = parent[field];
    // Most schemas have none of them.
    if (typeof value !== 'object' || value === null) continue;
    found ??= [];
    const at = path.child(field);
    if (Array.isArray(value)) {
      if (!ways.includes('listed')) continue;
      for (const [index, node] of schemasAt(parent, field).entries()) {
        found.push({ field, name: String(index), node, path: at.index(index) });
      }
    } else if (ways.includes('one')) {
      if (isJsonObject(value)) found.push({ field, name: '', node: value, path: at });
    } else if (ways.includes('named') && isJsonObject(value)) {
      for (const name in value) {
        const node = schemaAt(value, name);
        if (node !== undefined) found.push({ field, name, node, path: at.key(name) });
      }
    }
  }
  return found ?? none;
}

/** Whether there are more than so many schemas in some. */
export function hasMoreSchemas(roots: readonly SchemaNode[], limit: number): boolean {
  const open = [...roots];
  let count = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (++count + open.length > limit) return true;
    for (const child of childSchemas(node, anywhere)) open.push(child.node);
  }
  return false;
}

const anywhere = fieldPath();

/** The schemas of a definition: the one for all versions, and those of single ones. */
export function schemasOf(spec: CustomResourceDefinitionSpec): SchemaNode[] {
  const found: unknown[] = [spec.validation, ...(spec.versions ?? []).map(({ schema }) => schema)];
  return found.flatMap((validation) => {
    const schema = isJsonObject(validation) ? validation.openAPIV3Schema : undefined;
    return isJsonObject(schema) ? [schema] : [];
  });
}

/** True when a schema, or one below it, is such. */
export function hasSchemaWith(
  root: SchemaNode,
  path: FieldPath,
  isSuch: (node: SchemaNode) => boolean,
): boolean {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isSuch(node)) return true;
    for (const child of childSchemas(node, path)) open.push(child.node);
  }
  return false;
}

/** True for a schema that only structural ones may be: it says more than OpenAPI has words for. */
export const isExtended = (node: SchemaNode, names: ExtensionNames): boolean =>
  node[names.embedded] === true ||
  node[names.preserve] !== undefined ||
  node[names.intOrString] === true ||
  node[names.listType] !== undefined ||
  textsAt(node, names.listMapKeys).length > 0;

/** True for a schema with a default. */
export const hasDefault = (node: SchemaNode): boolean => node.default !== undefined && node.default !== null;
