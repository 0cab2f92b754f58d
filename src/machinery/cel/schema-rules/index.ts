/**
 * Rules in schemas of custom resources (`x-…-validations` of later releases): whether they may stand in a definition, and what they
 * say of an object.
 */
import type { JsonObject, Steps } from '../../../base/index.ts';
import type { Dialect } from '../../dialect.ts';
import type { FieldError, FieldPath } from '../../errors/index.ts';
import { extensionNames, type SchemaNode, schemaAt } from '../../schema/structural/index.ts';
import { checkRules, maxLetters } from './check-rules.ts';
import { readRule } from './rule.ts';
import { compileNode, type RuleNode, rulesAt } from './rule-node.ts';
import { runRules, type Warn } from './run-rules.ts';

/** The rules of one schema. */
export interface SchemaRules {
  /** Compiles them, one in each step; undefined when that was done. */
  compile(): Steps<void> | undefined;
  /**
   * Errors of an object that its schema finds right otherwise; `old` is what is stored of it. What is wrong with values that did not
   * change is told by `warn` instead, unless a rule compares with what is stored.
   */
  validate(object: JsonObject, old: JsonObject | undefined, warn: Warn): Steps<FieldError[]>;
}

/** Says what is wrong with the rules of a structural schema at a path. */
export type SchemaRuleChecks = (schema: SchemaNode, path: FieldPath) => FieldError[];

/** The rules of a schema; undefined when it has none. They are compiled when that is asked for, or an object needs them. */
export function readSchemaRules(schema: SchemaNode, dialect: Dialect): SchemaRules | undefined {
  if (measureRules(schema, dialect).count === 0) return undefined;
  let root: RuleNode | undefined;
  function* compile(): Steps<void> {
    root ??= yield* compileNode(schema, dialect, true);
  }
  return {
    compile: () => (root === undefined ? compile() : undefined),
    *validate(object, old, warn) {
      if (root === undefined) yield* compile();
      return root === undefined ? [] : yield* runRules(root, { object, old, warn });
    },
  };
}

/** Schemas within schemas that rules are compiled of: deeper ones are refused. */
const maxDepth = 100;

/**
 * Compiles the rules of a schema that may be anything, one in each step, so that checking them takes no time. None of one that is
 * refused anyhow.
 */
export function compileRulesOf(schema: SchemaNode, dialect: Dialect): Steps<unknown> | undefined {
  const { count, letters, depth } = measureRules(schema, dialect);
  if (count === 0 || letters > maxLetters || depth > maxDepth) return undefined;
  return compileNode(schema, dialect, true);
}

interface RuleMeasures {
  readonly count: number;
  /** Of all rules together. */
  readonly letters: number;
  readonly depth: number;
}

function measureRules(schema: SchemaNode, dialect: Dialect): RuleMeasures {
  const { validations } = extensionNames(dialect);
  const open = [{ node: schema, level: 0 }];
  let [count, letters, depth] = [0, 0, 0];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level } = next;
    depth = Math.max(depth, level);
    for (const value of rulesAt(node, validations)) {
      const { rule, messageExpression } = readRule(value);
      count++;
      letters += rule.length + messageExpression.length;
    }
    const properties = schemaAt(node, 'properties') ?? {};
    const children = Object.keys(properties).map((name) => schemaAt(properties, name));
    for (const child of [...children, schemaAt(node, 'items'), schemaAt(node, 'additionalProperties')])
      if (child !== undefined) open.push({ node: child, level: level + 1 });
  }
  return { count, letters, depth };
}

/** The checks for a dialect. */
export const checkSchemaRules =
  (dialect: Dialect): SchemaRuleChecks =>
  (schema, path) =>
    checkRules(schema, path, dialect);
