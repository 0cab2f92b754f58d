import { type FieldError, type FieldPath, forbiddenField } from '../../machinery/errors/index.ts';
import {
  type ExtensionNames,
  type SchemaNode,
  schemaAt,
  schemasAt,
  textAt,
  textsAt,
} from '../../machinery/schema/structural/index.ts';
import type { PatternChecks } from './pattern-checks.ts';

/** What is needed to check wanted values. */
export interface NestedRules {
  readonly names: ExtensionNames;
  readonly patterns: PatternChecks;
}

/** Errors after which nobody looks further: telling of thousands more would hold up other requests. */
const maxErrors = 1000;

/** Whether there are so many errors of a definition that no more are looked for. */
export const isFull = (errors: readonly FieldError[]): boolean => errors.length >= maxErrors;

/**
 * Adds the errors of what a schema says about wanted values: its pattern, and the logical junctors, inside of which nothing
 * may say what a value is. An `anyOf` of integer and string alone may.
 */
export function validateNested(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  rules: NestedRules,
): void {
  if (!isIntOrString(schemasAt(node, 'anyOf'))) validateAll(errors, node, 'anyOf', path, rules);
  for (const [at, child] of schemasAt(node, 'allOf').entries()) {
    const mayNameTypes = at === 0 && isIntOrString(schemasAt(child, 'anyOf'));
    const inner = mayNameTypes ? { ...child, anyOf: undefined } : child;
    validateWanted(errors, inner, path.child('allOf').index(at), rules);
  }
  validateAll(errors, node, 'oneOf', path, rules);
  const not = schemaAt(node, 'not');
  if (not !== undefined) validateWanted(errors, not, path.child('not'), rules);
  rules.patterns.check(errors, textAt(node, 'pattern'), path.child('pattern'));
}

function validateAll(
  errors: FieldError[],
  node: SchemaNode,
  field: string,
  path: FieldPath,
  rules: NestedRules,
): void {
  for (const [at, child] of schemasAt(node, field).entries()) {
    validateWanted(errors, child, path.child(field).index(at), rules);
  }
}

const isIntOrString = (alternatives: readonly SchemaNode[]): boolean =>
  alternatives.length === 2 &&
  alternatives.every((each, at) => {
    const [field, ...others] = Object.keys(each).filter((name) => each[name] !== undefined);
    return field === 'type' && others.length === 0 && each.type === (at === 0 ? 'integer' : 'string');
  });

/** Inside of a junctor only wanted values may be described; the junctors there are checked like all others. */
function validateWanted(errors: FieldError[], node: SchemaNode, path: FieldPath, rules: NestedRules): void {
  if (isFull(errors)) return;
  const { names } = rules;
  validateWantedBelow(errors, node, path, rules);
  const items = schemaAt(node, 'items');
  if (items !== undefined) validateWanted(errors, items, path.child('items'), rules);
  const properties = schemaAt(node, 'properties');
  for (const name in properties) {
    const child = schemaAt(properties, name);
    if (child !== undefined) validateWanted(errors, child, path.child('properties').key(name), rules);
  }
  const refuse = (field: string, wanted: string): void => {
    errors.push(forbiddenField(path.child(field), `must be ${wanted} to be structural`));
  };
  if (textAt(node, 'type') !== '') refuse('type', 'empty');
  if (node.additionalProperties !== undefined) refuse('additionalProperties', 'undefined');
  if (node.default !== undefined && node.default !== null) refuse('default', 'undefined');
  if (textAt(node, 'title') !== '') refuse('title', 'empty');
  if (textAt(node, 'description') !== '') refuse('description', 'empty');
  for (const field of ['nullable', names.preserve, names.embedded, names.intOrString]) {
    if (node[field] === true) refuse(field, 'false');
  }
  if (textsAt(node, names.listMapKeys).length > 0) refuse(names.listMapKeys, 'empty');
  if (node[names.listType] !== undefined) refuse(names.listType, 'undefined');
  if (node[names.mapType] !== undefined) refuse(names.mapType, 'undefined');
  if (node[names.validations] !== undefined) refuse(names.validations, 'empty');
  if (schemaAt(properties ?? {}, 'metadata') !== undefined) {
    const at = path.child('properties').key('metadata');
    errors.push(forbiddenField(at, 'must not be specified in a nested context'));
  }
}

/** In nested junctors nothing may name types, also not an integer or string. */
function validateWantedBelow(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  rules: NestedRules,
): void {
  for (const field of ['anyOf', 'allOf', 'oneOf']) validateAll(errors, node, field, path, rules);
  const not = schemaAt(node, 'not');
  if (not !== undefined) validateWanted(errors, not, path.child('not'), rules);
  rules.patterns.check(errors, textAt(node, 'pattern'), path.child('pattern'));
}
