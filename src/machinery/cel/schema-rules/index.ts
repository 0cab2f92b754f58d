/**
 * Rules in schemas of custom resources (`x-…-validations` of later releases): whether they may stand in a definition, and what they
 * say of an object.
 */
import type { JsonObject } from '../../../base/index.ts';
import type { Dialect } from '../../dialect.ts';
import type { FieldError, FieldPath } from '../../errors/index.ts';
import type { SchemaNode } from '../../schema/structural/index.ts';
import { checkRules } from './check-rules.ts';
import { compileNode } from './rule-node.ts';
import { runRules } from './run-rules.ts';

/** The rules of one schema. */
export interface SchemaRules {
  /** Errors of an object that its schema finds right otherwise; `old` is what is stored of it. */
  validate(object: JsonObject, old: JsonObject | undefined): FieldError[];
}

/** Says what is wrong with the rules of a structural schema at a path. */
export type SchemaRuleChecks = (schema: SchemaNode, path: FieldPath) => FieldError[];

/** The rules of a schema; undefined when it has none. */
export function compileSchemaRules(schema: SchemaNode, dialect: Dialect): SchemaRules | undefined {
  const root = compileNode(schema, dialect, true);
  return root && { validate: (object, old) => runRules(root, object, old) };
}

/** The checks for a dialect. */
export const checkSchemaRules =
  (dialect: Dialect): SchemaRuleChecks =>
  (schema, path) =>
    checkRules(schema, path, dialect);
