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

/** How a field holds schemas. */
interface SchemaField {
  readonly field: string;
  readonly isOne?: boolean;
  readonly isNamed?: boolean;
  readonly isListed?: boolean;
}

/** Fields that hold schemas, in the order in which release 1.20 comes to them. */
const fields: readonly SchemaField[] = [
  { field: 'additionalProperties', isOne: true },
  { field: 'properties', isNamed: true },
  { field: 'patternProperties', isNamed: true },
  { field: 'additionalItems', isOne: true },
  { field: 'not', isOne: true },
  { field: 'allOf', isListed: true },
  { field: 'oneOf', isListed: true },
  { field: 'anyOf', isListed: true },
  { field: 'definitions', isNamed: true },
  { field: 'items', isOne: true, isListed: true },
  { field: 'dependencies', isNamed: true },
];
const fieldNames: ReadonlySet<string> = new Set(fields.map(({ field }) => field));
const none: readonly never[] = [];

/** Whether a schema has any of such fields: most have none of them, and a definition has tens of thousands of schemas. */
export function hasFieldOf(node: SchemaNode, names: ReadonlySet<string>): boolean {
  for (const name in node) if (names.has(name)) return true;
  return false;
}

/** What is told of a schema below another one; a position in a list, a name, or neither. */
type Visit = (node: SchemaNode, field: string, key: string | number | undefined) => void;

function visitBelow(parent: SchemaNode, visit: Visit): void {
  for (const { field, isOne, isNamed, isListed } of fields) {
    const value = parent[field];
    if (Array.isArray(value)) {
      if (isListed !== true) continue;
      for (const [index, node] of schemasAt(parent, field).entries()) visit(node, field, index);
    } else if (!isJsonObject(value)) continue;
    else if (isOne === true) visit(value, field, undefined);
    else if (isNamed === true) {
      for (const name in value) {
        const node = schemaAt(value, name);
        if (node !== undefined) visit(node, field, name);
      }
    }
  }
}

/** The schemas right below one, in the order in which release 1.20 comes to them. */
export function childSchemas(parent: SchemaNode, path: FieldPath): readonly ChildSchema[] {
  if (!hasFieldOf(parent, fieldNames)) return none;
  const found: ChildSchema[] = [];
  let at = path;
  let lastField = '';
  visitBelow(parent, (node, field, key) => {
    if (field !== lastField) at = path.child(field);
    lastField = field;
    const below = key === undefined ? at : typeof key === 'number' ? at.index(key) : at.key(key);
    found.push({ field, name: String(key ?? ''), node, path: below });
  });
  return found;
}

/** The same without saying where they are. */
export function schemasBelow(parent: SchemaNode): readonly SchemaNode[] {
  if (!hasFieldOf(parent, fieldNames)) return none;
  const found: SchemaNode[] = [];
  visitBelow(parent, (node) => void found.push(node));
  return found;
}

/** Whether there are more than so many schemas in some. */
export function hasMoreSchemas(roots: readonly SchemaNode[], limit: number): boolean {
  const open = [...roots];
  let count = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (++count + open.length > limit) return true;
    for (const child of schemasBelow(node)) open.push(child);
  }
  return false;
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
export function hasSchemaWith(root: SchemaNode, isSuch: (node: SchemaNode) => boolean): boolean {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isSuch(node)) return true;
    for (const child of schemasBelow(node)) open.push(child);
  }
  return false;
}

/** True for a schema that only structural ones may be: it says more than OpenAPI has words for. */
export const isExtended = (node: SchemaNode, names: ExtensionNames): boolean =>
  node[names.embedded] === true ||
  node[names.preserve] !== undefined ||
  node[names.intOrString] === true ||
  node[names.listType] !== undefined ||
  node[names.validations] !== undefined ||
  textsAt(node, names.listMapKeys).length > 0;

/** True for a schema with a default. */
export const hasDefault = (node: SchemaNode): boolean => node.default !== undefined && node.default !== null;
