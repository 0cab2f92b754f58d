import { isJsonObject } from '../../../base/index.ts';
import type { Dialect } from '../../dialect.ts';
import { extensionNames, type SchemaNode, schemaAt, textAt, textsAt } from '../../schema/structural/index.ts';
import { schemaType } from '../schema-types.ts';
import type { CelType } from '../types.ts';
import { type CompiledRule, compileRule, readRule } from './rule.ts';

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

/** The rules of a schema; undefined when it has none. */
export function compileNode(schema: SchemaNode, dialect: Dialect, isRoot: boolean): RuleNode | undefined {
  const names = extensionNames(dialect);
  const below = (child: SchemaNode | undefined): RuleNode | undefined =>
    child === undefined ? undefined : compileNode(child, dialect, false);
  const declared = schemaAt(schema, 'properties') ?? {};
  const properties = new Map(
    Object.keys(declared).flatMap((name) => {
      const node = below(schemaAt(declared, name));
      return node === undefined ? [] : [[name, node] as const];
    }),
  );
  const items = below(schemaAt(schema, 'items'));
  const additional = below(schemaAt(schema, 'additionalProperties'));
  const texts = rulesAt(schema, names.validations);
  if (texts.length === 0 && properties.size === 0 && items === undefined && additional === undefined)
    return undefined;
  const type = texts.length === 0 ? undefined : schemaType(schema, dialect, isRoot);
  return {
    typeName: textAt(schema, 'type'),
    type,
    rules: type === undefined ? [] : texts.map((text) => compileRule(readRule(text), type)),
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
