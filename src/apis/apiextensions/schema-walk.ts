import { isJsonObject } from '../../base/index.ts';
import type { FieldPath } from '../../machinery/errors/index.ts';
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

/** The schemas right below one, in the order in which release 1.20 comes to them. */
export function* childSchemas(node: SchemaNode, path: FieldPath): Generator<ChildSchema> {
  yield* single(node, 'additionalProperties', path);
  yield* named(node, 'properties', path);
  yield* named(node, 'patternProperties', path);
  yield* single(node, 'additionalItems', path);
  yield* single(node, 'not', path);
  yield* listed(node, 'allOf', path);
  yield* listed(node, 'oneOf', path);
  yield* listed(node, 'anyOf', path);
  yield* named(node, 'definitions', path);
  if (Array.isArray(node.items)) yield* listed(node, 'items', path);
  else yield* single(node, 'items', path);
  yield* named(node, 'dependencies', path);
}

function* single(parent: SchemaNode, field: string, path: FieldPath): Generator<ChildSchema> {
  const node = schemaAt(parent, field);
  if (node !== undefined) yield { field, name: '', node, path: path.child(field) };
}

function* named(parent: SchemaNode, field: string, path: FieldPath): Generator<ChildSchema> {
  const members = schemaAt(parent, field);
  for (const name in members) {
    const node = schemaAt(members, name);
    if (node !== undefined) yield { field, name, node, path: path.child(field).key(name) };
  }
}

function* listed(parent: SchemaNode, field: string, path: FieldPath): Generator<ChildSchema> {
  for (const [at, node] of schemasAt(parent, field).entries()) {
    yield { field, name: String(at), node, path: path.child(field).index(at) };
  }
}

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
