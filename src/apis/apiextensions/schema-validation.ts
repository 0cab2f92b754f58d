import { errorText } from '../../base/index.ts';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
} from '../../machinery/errors/index.ts';
import {
  type ExtensionNames,
  extensionNames,
  type SchemaNode,
  schemaAt,
  schemasAt,
  textAt,
} from '../../machinery/schema/structural/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { JSONSchemaProps } from '../types/apiextensions-v1beta1.ts';
import { validateListMarkers } from './list-markers.ts';
import { validateStatusRoot } from './status-root.ts';
import { validateStructure } from './structural-validation.ts';

/** What else decides about a schema. */
export interface SchemaOptions {
  readonly context: RuleContext;
  /** Value of `spec.preserveUnknownFields`: such definitions of the older version need no structural schema. */
  readonly preservesUnknown: boolean;
  /** True when the schema is that of a version with a status subresource. */
  readonly hasStatus: boolean;
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
  if (options.hasStatus) validateStatusRoot(errors, root, path, names);
  const checksTypes = options.context.requestApiVersion === 'apiextensions.orch.io/v1';
  if (root.nullable === true) {
    errors.push(forbiddenField(path.child('nullable'), 'nullable cannot be true at the root'));
  }
  const wasFine = validateNode(errors, root, path, {
    names,
    depth: 0,
    allowsDefault: !options.preservesUnknown,
    checksTypes,
  });
  if (!wasFine || options.preservesUnknown) return errors;
  const unsupported = findUnsupported(root, path);
  if (unsupported === undefined) return [...errors, ...validateStructure(root, path, names)];
  // Only said when nothing else is: most of these fields have their own error.
  if (errors.length === 0) {
    const name = unsupported.replace('$', '');
    errors.push(invalidValue(path, '', `OpenAPIV3Schema '${name}' is not supported`));
  }
  return errors;
}

/** A field that structural schemas cannot have, anywhere in the schema. */
function findUnsupported(node: SchemaNode, path: FieldPath): string | undefined {
  const own = ['$schema', ...unsupportedFields].find((name) => node[name] !== undefined && node[name] !== '');
  if (own !== undefined) return own;
  if (Array.isArray(node.items)) return 'items';
  for (const [, child, at] of childrenOf(node, path)) {
    const found = findUnsupported(child, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface NodeOptions {
  readonly names: ExtensionNames;
  readonly depth: number;
  readonly allowsDefault: boolean;
  readonly checksTypes: boolean;
}

/** Answers false when the schema is nested too deep to look further. */
function validateNode(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  options: NodeOptions,
): boolean {
  const { names, depth } = options;
  if (depth > maxDepth) {
    errors.push(forbiddenField(path, `must not be nested deeper than ${maxDepth}`));
    return false;
  }
  validateOwnFields(errors, node, path, options);
  validateListMarkers(errors, node, path, names);
  const deeper = { ...options, depth: depth + 1 };
  for (const [field, child, at] of childrenOf(node, path)) {
    if (field !== '' && !validateNode(errors, child, at, deeper)) return false;
  }
  return true;
}

/** All schemas directly inside a schema: the field that holds each, the schema, and its path. */
function* childrenOf(
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
  { names, allowsDefault, checksTypes }: NodeOptions,
): void {
  if (node.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenField(path.child('uniqueItems'), detail));
  }
  const properties = schemaAt(node, 'properties');
  const others = node.additionalProperties;
  const hasProperties = properties !== undefined && Object.keys(properties).length > 0;
  if (hasProperties && others !== undefined && others !== true) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbiddenField(path.child('additionalProperties'), detail));
  }
  if (node.default !== undefined && !allowsDefault) {
    const detail = 'must not be set in versions that preserve unknown fields';
    errors.push(forbiddenField(path.child('default'), detail));
  }
  for (const field of unsupportedFields) {
    if (node[field] !== undefined)
      errors.push(forbiddenField(path.child(field), `${field} is not supported`));
  }
  validateType(errors, textAt(node, 'type'), path.child('type'), checksTypes);
  if (Array.isArray(node.items)) {
    errors.push(forbiddenField(path.child('items'), 'items must be a schema object and not an array'));
  }
  validatePattern(errors, textAt(node, 'pattern'), path.child('pattern'));
  if (node[names.preserve] === false) {
    errors.push(invalidValue(path.child(names.preserve), false, 'must be true or undefined'));
  }
}

function validateType(errors: FieldError[], type: string, path: FieldPath, isChecked: boolean): void {
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(forbiddenField(path, detail));
  } else if (isChecked && type !== '' && !types.includes(type)) errors.push(notSupported(path, type, types));
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
