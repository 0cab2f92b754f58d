import { errorText } from '../../base/index.ts';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { JSONSchemaProps } from '../types/apiextensions-v1beta1.ts';
import { validateListMarkers } from './list-markers.ts';
import {
  type ExtensionNames,
  extensionNames,
  type SchemaNode,
  schemaAt,
  schemasAt,
  textAt,
} from './schema-names.ts';
import { validateStructure } from './structural-validation.ts';

/** What else decides about a schema. */
export interface SchemaOptions {
  readonly context: RuleContext;
  /** Value of `spec.preserveUnknownFields`: such definitions of the older version need no structural schema. */
  readonly preservesUnknown: boolean;
}

const types: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupportedFields = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
] as const;
/** Schemas nested deeper are refused, so that hostile ones cannot exhaust the stack. */
const maxDepth = 100;

/** Errors of the schema of a custom resource; whether it is structural is looked at when nothing else is wrong. */
export function validateSchema(
  schema: JSONSchemaProps,
  path: FieldPath,
  options: SchemaOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const names = extensionNames(options.context.dialect);
  // A schema is an object; reading it by key is what the extensions' names need.
  const root = schema as SchemaNode;
  validateNode(errors, root, path, { names, depth: 0, allowsDefault: !options.preservesUnknown });
  if (errors.length > 0 || options.preservesUnknown) return errors;
  return validateStructure(root, path, names);
}

interface NodeOptions {
  readonly names: ExtensionNames;
  readonly depth: number;
  readonly allowsDefault: boolean;
}

function validateNode(errors: FieldError[], node: SchemaNode, path: FieldPath, options: NodeOptions): void {
  const { names, depth } = options;
  if (depth > maxDepth) {
    errors.push(forbiddenField(path, `must not be nested deeper than ${maxDepth}`));
    return;
  }
  validateOwnFields(errors, node, path, options);
  validateListMarkers(errors, node, path, names);
  const deeper = { ...options, depth: depth + 1 };
  for (const [field, child, at] of childrenOf(node, path)) {
    if (field !== '') validateNode(errors, child, at, deeper);
  }
}

/** All schemas directly inside a schema: the field that holds each, the schema, and its path. */
export function* childrenOf(
  node: SchemaNode,
  path: FieldPath,
): Generator<readonly [field: string, child: SchemaNode, path: FieldPath]> {
  for (const field of ['properties', 'patternProperties', 'definitions', 'dependencies']) {
    const members = schemaAt(node, field);
    for (const name in members) {
      const child = schemaAt(members, name);
      if (child !== undefined) yield [field, child, path.child(field).key(name)];
    }
  }
  for (const field of ['additionalProperties', 'items', 'not']) {
    const child = schemaAt(node, field);
    if (child !== undefined) yield [field, child, path.child(field)];
  }
  for (const field of ['allOf', 'oneOf', 'anyOf']) {
    for (const [at, child] of schemasAt(node, field).entries())
      yield [field, child, path.child(field).index(at)];
  }
}

function validateOwnFields(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { names, allowsDefault }: NodeOptions,
): void {
  if (node.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenField(path.child('uniqueItems'), detail));
  }
  const properties = schemaAt(node, 'properties');
  const others = node.additionalProperties;
  if (
    others !== undefined &&
    others !== false &&
    properties !== undefined &&
    Object.keys(properties).length > 0
  ) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbiddenField(path.child('additionalProperties'), detail));
  } else if (others === false) {
    errors.push(
      forbiddenField(path.child('additionalProperties'), 'additionalProperties cannot be set to false'),
    );
  }
  if (node.default !== undefined && !allowsDefault) {
    const detail = 'must not be set in versions that preserve unknown fields';
    errors.push(forbiddenField(path.child('default'), detail));
  }
  for (const field of unsupportedFields) {
    if (node[field] !== undefined)
      errors.push(forbiddenField(path.child(field), `${field} is not supported`));
  }
  validateType(errors, textAt(node, 'type'), path.child('type'));
  if (Array.isArray(node.items)) {
    errors.push(forbiddenField(path.child('items'), 'items must be a schema object and not an array'));
  }
  validatePattern(errors, textAt(node, 'pattern'), path.child('pattern'));
  if (node[names.preserve] === false) {
    errors.push(invalidValue(path.child(names.preserve), false, 'must be true or undefined'));
  }
}

function validateType(errors: FieldError[], type: string, path: FieldPath): void {
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(forbiddenField(path, detail));
  } else if (type !== '' && !types.includes(type)) errors.push(notSupported(path, type, types));
}

/** Patterns that this runtime cannot compile, even spelled for release 1.20's engine, can match nothing here. */
function validatePattern(errors: FieldError[], pattern: string, path: FieldPath): void {
  if (pattern === '') return;
  const portable = pattern.replace(/\(\?P</g, '(?<').replace(/^\(\?[imsU]+\)/, '');
  try {
    new RegExp(portable);
  } catch (error) {
    const reason = errorText(error);
    const detail = `must be a valid regular expression, but isn't: ${reason}`;
    errors.push(invalidValue(path, pattern, detail));
  }
}
