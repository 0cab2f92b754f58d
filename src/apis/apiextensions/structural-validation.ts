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
  schemasAt,
  textAt,
} from '../../machinery/schema/structural/index.ts';

/** Where a schema stands; decides how a missing type is worded. */
type Place = 'root' | 'field' | 'item';

const missingType: Readonly<Record<Place, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

/**
 * Errors of a schema that is not structural: outside of logical junctors every value has a type, and inside of them
 * nothing says what a value is, only which values are wanted.
 */
export function validateStructure(root: SchemaNode, path: FieldPath, names: ExtensionNames): FieldError[] {
  const errors: FieldError[] = [];
  validateSkeleton(errors, root, path, { names, place: 'root' });
  validateRoot(errors, root, path);
  return errors;
}

interface SkeletonOptions {
  readonly names: ExtensionNames;
  readonly place: Place;
}

function validateRoot(errors: FieldError[], root: SchemaNode, path: FieldPath): void {
  const type = textAt(root, 'type');
  if (type !== '' && type !== 'object') {
    errors.push(invalidValue(path.child('type'), type, 'must be object at the root'));
  }
  if (root.additionalProperties !== undefined) {
    errors.push(forbiddenField(path.child('additionalProperties'), 'must not be used at the root'));
  }
}

function validateSkeleton(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { names, place }: SkeletonOptions,
): void {
  const type = textAt(node, 'type');
  const isFree = node[names.preserve] === true || node[names.intOrString] === true;
  if (type === '' && !isFree) errors.push(required(path.child('type'), missingType[place]));
  if (type === 'array' && node.items === undefined) {
    errors.push(required(path.child('items'), 'must be specified'));
  }
  validateExtensions(errors, node, path, names);
  if (place === 'root' || node[names.embedded] === true) {
    validateObjectFields(errors, node, path, { isRoot: place === 'root' });
  }
  const properties = schemaAt(node, 'properties');
  for (const name in properties) {
    const child = schemaAt(properties, name);
    const at = path.child('properties').key(name);
    if (child !== undefined) validateSkeleton(errors, child, at, { names, place: 'field' });
  }
  const others = schemaAt(node, 'additionalProperties');
  if (others !== undefined) {
    validateSkeleton(errors, others, path.child('additionalProperties'), { names, place: 'field' });
  }
  const items = schemaAt(node, 'items');
  if (items !== undefined) validateSkeleton(errors, items, path.child('items'), { names, place: 'item' });
  validateJunctors(errors, node, path, { names, mayNameTypes: node[names.intOrString] === true });
}

function validateExtensions(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  names: ExtensionNames,
): void {
  if (node[names.intOrString] === true) {
    for (const field of [names.preserve, names.embedded]) {
      if (node[field] !== true) continue;
      errors.push(invalidValue(path.child(field), true, `must be false if ${names.intOrString} is true`));
    }
    const type = textAt(node, 'type');
    if (type !== '') {
      errors.push(forbiddenField(path.child('type'), `must be empty if ${names.intOrString} is true`));
    }
  }
  if (node[names.embedded] !== true) return;
  const type = textAt(node, 'type');
  const detail = `must be object if ${names.embedded} is true`;
  if (type !== 'object' && type !== '') errors.push(invalidValue(path.child('type'), type, detail));
  if (node[names.preserve] === true || schemaAt(node, 'properties') !== undefined) return;
  const missing = `must not be empty if ${names.embedded} is true without ${names.preserve}`;
  errors.push(required(path.child('properties'), missing));
}

/** Fields that every object has cannot be declared as something else. */
function validateObjectFields(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { isRoot }: { readonly isRoot: boolean },
): void {
  const properties = schemaAt(node, 'properties') ?? {};
  for (const [name, expected] of [
    ['kind', 'string'],
    ['apiVersion', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const property = schemaAt(properties, name);
    const type = property === undefined ? expected : textAt(property, 'type');
    if (type === expected) continue;
    const at = path.child('properties').key(name).child('type');
    errors.push(invalidValue(at, type, `must be ${expected}`));
  }
  const metadata = schemaAt(properties, 'metadata');
  if (!isRoot || metadata === undefined) return;
  const declared = Object.keys(schemaAt(metadata, 'properties') ?? {});
  const extra = declared.some((name) => name !== 'name' && name !== 'generateName');
  const hasOthers = metadata.additionalProperties !== undefined;
  if (!extra && !hasOthers) return;
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  errors.push(forbiddenField(path.child('properties').key('metadata'), detail));
}

interface JunctorOptions {
  readonly names: ExtensionNames;
  /** An int-or-string may say in one `anyOf` that it is an integer or a string. */
  readonly mayNameTypes: boolean;
}

function validateJunctors(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { names, mayNameTypes }: JunctorOptions,
): void {
  for (const [at, child] of schemasAt(node, 'allOf').entries()) {
    const mayInside = mayNameTypes && at === 0;
    validateValueSchema(
      errors,
      child,
      path.child('allOf').index(at),
      { names, mayNameTypes: mayInside },
      false,
    );
  }
  const alternatives = schemasAt(node, 'anyOf');
  const areTypes = mayNameTypes && namesIntOrString(alternatives);
  for (const [at, child] of alternatives.entries()) {
    const options = { names, mayNameTypes: false };
    validateValueSchema(errors, child, path.child('anyOf').index(at), options, areTypes);
  }
  for (const [at, child] of schemasAt(node, 'oneOf').entries()) {
    validateValueSchema(errors, child, path.child('oneOf').index(at), { names, mayNameTypes: false }, false);
  }
  const not = schemaAt(node, 'not');
  if (not !== undefined)
    validateValueSchema(errors, not, path.child('not'), { names, mayNameTypes: false }, false);
}

const namesIntOrString = (alternatives: readonly SchemaNode[]): boolean =>
  alternatives.length === 2 &&
  textAt(alternatives[0] ?? {}, 'type') === 'integer' &&
  textAt(alternatives[1] ?? {}, 'type') === 'string';

const emptyFields = ['additionalProperties', 'default', 'title', 'description'] as const;

/** Inside of a junctor only wanted values may be described. */
function validateValueSchema(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  options: JunctorOptions,
  mayHaveType: boolean,
): void {
  const { names } = options;
  const refuse = (field: string, wanted: string): void => {
    errors.push(forbiddenField(path.child(field), `must be ${wanted} to be structural`));
  };
  const properties = schemaAt(node, 'properties');
  for (const name in properties) {
    const child = schemaAt(properties, name);
    const at = path.child('properties').key(name);
    if (child !== undefined) validateValueSchema(errors, child, at, { names, mayNameTypes: false }, false);
  }
  const items = schemaAt(node, 'items');
  if (items !== undefined) {
    validateValueSchema(errors, items, path.child('items'), { names, mayNameTypes: false }, false);
  }
  validateJunctors(errors, node, path, options);
  if (textAt(node, 'type') !== '' && !mayHaveType) refuse('type', 'empty');
  for (const field of emptyFields) {
    if (node[field] === undefined || node[field] === '') continue;
    refuse(field, field === 'default' ? 'undefined' : 'empty');
  }
  for (const field of ['nullable', names.preserve, names.embedded, names.intOrString]) {
    if (node[field] === true) refuse(field, 'false');
  }
  for (const field of [names.listType, names.listMapKeys, names.mapType]) {
    if (node[field] !== undefined) refuse(field, 'empty');
  }
}
