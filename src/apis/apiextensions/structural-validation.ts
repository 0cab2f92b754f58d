import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import {
  type ExtensionNames,
  type SchemaNode,
  schemaAt,
  textAt,
} from '../../machinery/schema/structural/index.ts';
import { validateCompleteness } from './completeness.ts';
import { isFull, type NestedRules, validateNested } from './nested-validation.ts';

/** Where a schema stands; decides how a missing type is worded. */
type Level = 'root' | 'field' | 'item';

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

/**
 * Errors of a schema that is not structural, sorted as release 1.20 does: outside of logical junctors every value has a
 * type, and inside of them nothing says what a value is, only which values are wanted.
 */
export function validateStructure(root: SchemaNode, path: FieldPath, rules: NestedRules): FieldError[] {
  const errors: FieldError[] = [];
  validateInvariants(errors, root, path, { rules, level: 'root' });
  validateCompleteness(errors, root, path);
  if (errors.length < 2) return errors;
  const told = errors.map((error) => ({ error, text: String(error) }));
  return told.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ error }) => error);
}

interface Position {
  readonly rules: NestedRules;
  readonly level: Level;
}

function validateInvariants(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { rules, level }: Position,
): void {
  if (isFull(errors)) return;
  const { names } = rules;
  const items = schemaAt(node, 'items');
  if (items !== undefined) validateInvariants(errors, items, path.child('items'), { rules, level: 'item' });
  else if (textAt(node, 'type') === 'array') errors.push(required(path.child('items'), 'must be specified'));
  const properties = schemaAt(node, 'properties');
  for (const name in properties) {
    const child = schemaAt(properties, name);
    const at = path.child('properties').key(name);
    if (child !== undefined) validateInvariants(errors, child, at, { rules, level: 'field' });
  }
  validateAdditional(errors, node, path, { rules, level });
  validateExtensions(errors, node, path, names);
  validateNested(errors, node, path, rules);
  validateType(errors, node, path, { rules, level });
  validateObjectFields(errors, properties ?? {}, path.child('properties'), {
    level,
    isObject: level === 'root' || node[names.embedded] === true,
  });
  if (node[names.embedded] === true && node[names.preserve] !== true && isEmpty(properties)) {
    const detail = `must not be empty if ${names.embedded} is true without ${names.preserve}`;
    errors.push(required(path.child('properties'), detail));
  }
}

const isEmpty = (object: SchemaNode | undefined): boolean =>
  object === undefined || Object.keys(object).length === 0;

function validateAdditional(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { rules, level }: Position,
): void {
  if (node.additionalProperties === undefined) return;
  const at = path.child('additionalProperties');
  if (level === 'root') errors.push(forbiddenField(at, 'must not be used at the root'));
  const others = schemaAt(node, 'additionalProperties');
  if (others !== undefined) validateInvariants(errors, others, at, { rules, level: 'field' });
  if (node[rules.names.embedded] !== true) return;
  errors.push(forbiddenField(at, `must not be used if ${rules.names.embedded} is set`));
}

function validateExtensions(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  names: ExtensionNames,
): void {
  if (node[names.intOrString] !== true) return;
  for (const field of [names.preserve, names.embedded]) {
    if (node[field] !== true) continue;
    errors.push(invalidValue(path.child(field), true, `must be false if ${names.intOrString} is true`));
  }
}

function validateType(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { rules: { names }, level }: Position,
): void {
  const type = textAt(node, 'type');
  const at = path.child('type');
  if (node[names.embedded] === true && type !== 'object') {
    const detail = `must be object if ${names.embedded} is true`;
    errors.push(type === '' ? required(at, detail) : invalidValue(at, type, detail));
  } else if (type === '' && node[names.intOrString] !== true && node[names.preserve] !== true) {
    errors.push(required(at, missingType[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(at, type, 'must be object at the root'));
  }
}

/** Fields that every object has cannot be declared as something else. */
function validateObjectFields(
  errors: FieldError[],
  properties: SchemaNode,
  path: FieldPath,
  { level, isObject }: { readonly level: Level; readonly isObject: boolean },
): void {
  if (!isObject) return;
  for (const [name, expected] of [
    ['kind', 'string'],
    ['apiVersion', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const property = schemaAt(properties, name);
    if (property === undefined || textAt(property, 'type') === expected) continue;
    errors.push(invalidValue(path.key(name).child('type'), textAt(property, 'type'), `must be ${expected}`));
  }
  const metadata = schemaAt(properties, 'metadata');
  if (level !== 'root' || metadata === undefined || isPlainMetadata(metadata)) return;
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  errors.push(forbiddenField(path.key('metadata'), detail));
}

/** True for metadata of which nothing is said but its type, a default, and how its objects are named. */
function isPlainMetadata({ type: _type, default: _default, properties, ...others }: SchemaNode): boolean {
  const declared = properties === undefined ? [] : Object.keys(properties ?? {});
  if (!declared.every((name) => name === 'name' || name === 'generateName')) return false;
  return Object.values(others).every((value) => value === undefined || value === false || value === '');
}
