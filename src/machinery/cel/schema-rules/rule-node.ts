import { isJsonObject, type Steps } from '../../../base/index.ts';
import type { Dialect } from '../../dialect.ts';
import { extensionNames, type SchemaNode, schemaAt, textAt, textsAt } from '../../schema/structural/index.ts';
import { schemaType } from '../schema-types.ts';
import type { CelType } from '../types.ts';
import { type CompiledRule, ruleOf } from './rule.ts';

/** A place of a schema that has rules, or has places with rules below it. */
export interface RuleNode {
  /** As errors name it: `object`, `string`. */
  readonly typeName: string;
  readonly type: CelType | undefined;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly items: RuleNode | undefined;
  readonly additional: RuleNode | undefined;
  /** Keys of the items of a list of type `map`, by which old ones are found; undefined for other lists. */
  readonly listKeys: readonly string[] | undefined;
  /** Whether values of a map have old ones. */
  readonly keepsMembers: boolean;
}

/** The rules of a schema, one compiled in each step; undefined when it has none. */
export function* compileNode(
  schema: SchemaNode,
  dialect: Dialect,
  isRoot: boolean,
): Steps<RuleNode | undefined> {
  const names = extensionNames(dialect);
  const declared = schemaAt(schema, 'properties') ?? {};
  const properties = new Map<string, RuleNode>();
  for (const name of Object.keys(declared)) {
    const child = schemaAt(declared, name);
    const node = child && (yield* compileNode(child, dialect, false));
    if (node !== undefined) properties.set(name, node);
  }
  const itemSchema = schemaAt(schema, 'items');
  const items = itemSchema && (yield* compileNode(itemSchema, dialect, false));
  const additionalSchema = schemaAt(schema, 'additionalProperties');
  const additional = additionalSchema && (yield* compileNode(additionalSchema, dialect, false));
  const texts = rulesAt(schema, names.validations);
  if (texts.length === 0 && properties.size === 0 && items === undefined && additional === undefined)
    return undefined;
  const type = texts.length === 0 ? undefined : schemaType(schema, dialect, isRoot);
  const rules: CompiledRule[] = [];
  for (const text of texts) {
    if (type === undefined) break;
    yield;
    rules.push(ruleOf(text, type));
  }
  return {
    typeName: textAt(schema, 'type'),
    type,
    rules,
    properties,
    items,
    additional,
    listKeys: textAt(schema, names.listType) === 'map' ? textsAt(schema, names.listMapKeys) : undefined,
    keepsMembers: textAt(schema, names.mapType) !== 'atomic',
  };
}

/** The rules that stand at one place, as the definition has them. */
export function rulesAt(schema: SchemaNode, field: string): ReadonlyArray<Readonly<Record<string, unknown>>> {
  const value = schema[field];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
