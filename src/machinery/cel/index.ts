/**
 * The expression language of policies and of rules in schemas (CEL): a text becomes an expression, checked against the types of
 * what it is about, that runs within a number of steps. Parsing, times, conversions and most functions of texts are the library's
 * (`@bufbuild/cel`), which is loaded with the first expression; types, costs and evaluation are here, since it has none of the first
 * two. Pure.
 */
export {
  compileExpression,
  type Environment,
  type Expression,
  type ExpressionFault,
  maxExpressionLength,
  prepareExpressions,
  type ReadExpression,
  readExpression,
} from './expression.ts';
export {
  type AccessDecision,
  type AccessQuestion,
  type AskAccess,
  AuthorizerValue,
} from './functions/index.ts';
export { escapeName, JsonMap, jsonValue } from './json-values.ts';
export { CostExceeded, Meter, maxExpressionCost } from './meter.ts';
export {
  checkSchemaRules,
  compileRulesOf,
  readSchemaRules,
  type SchemaRuleChecks,
  type SchemaRules,
} from './schema-rules/index.ts';
export { type OpenSchemaOptions, objectType, openSchemaType, schemaType } from './schema-types.ts';
export * from './types.ts';
export { Failure, MapValue, Opaque, Optional, TypeValue, type Value } from './values.ts';
