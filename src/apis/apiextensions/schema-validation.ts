import { checkSchemaRules } from '../../machinery/cel/index.ts';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
} from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import {
  type ExtensionNames,
  type SchemaNode,
  schemaAt,
  textAt,
  validateDefaults,
} from '../../machinery/schema/structural/index.ts';
import { embeddedMetadata } from './custom-schemas.ts';
import { validateListMarkers } from './list-markers.ts';
import { isFull } from './nested-validation.ts';
import { runsRules } from './schema-rule-switch.ts';
import { type SchemaRules, schemaTypes } from './schema-rules.ts';
import { childSchemas, hasDefault, hasFieldOf, schemasBelow } from './schema-walk.ts';
import { validateStatusRoot } from './status-root.ts';
import { validateStructure } from './structural-validation.ts';

const unsupportedFields = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
] as const;
const beyondStructure = ['$schema', ...unsupportedFields] as const;
const unsupportedNames: ReadonlySet<string> = new Set(beyondStructure);
/** Fields that release 1.20 refuses and does not look into. */
const closedNames: ReadonlySet<string> = new Set(['patternProperties', 'additionalItems']);
/** Schemas nested deeper are refused, so that hostile ones cannot exhaust the stack. */
const maxDepth = 100;

/** Adds the errors of the schema of a custom resource; whether it is structural, and its defaults, come last. */
export function validateSchema(
  errors: FieldError[],
  schema: SchemaNode,
  path: FieldPath,
  rules: SchemaRules,
  { hasStatus }: { readonly hasStatus: boolean },
): void {
  const { names } = rules;
  const { length } = errors;
  if (hasStatus) validateStatusRoot(errors, schema, path, names);
  if (schema.nullable === true) {
    errors.push(forbiddenField(path.child('nullable'), 'nullable cannot be true at the root'));
  }
  const root = { rules, depth: 0, isInMetadata: false, defaultsRefusal: rules.defaultsRefusal };
  const wasFine = validateNode(errors, schema, path, root);
  if (!wasFine || !rules.requiresStructure) return;
  const unsupported = findUnsupported(schema, names);
  if (unsupported !== undefined) {
    // Only said when nothing else is: most of these fields have their own error.
    if (errors.length === length) errors.push(invalidValue(path, '', unsupported));
    return;
  }
  const structure = validateStructure(schema, path, rules);
  if (structure.length > 0) {
    errors.push(...structure);
    return;
  }
  const { dialect, catalog } = rules.context;
  const metadata = embeddedMetadata(dialect, catalog);
  const { requiresPrunedDefaults: requiresPruned } = rules;
  errors.push(...validateDefaults(schema, path, { names, metadata, requiresPruned }));
  if (runsRules(rules.context)) errors.push(...checkSchemaRules(dialect)(schema, path));
}

/** What release 1.20 says of a field that structural schemas cannot have, anywhere in the schema. */
function findUnsupported(node: SchemaNode, names: ExtensionNames): string | undefined {
  const own = hasFieldOf(node, unsupportedNames) && beyondStructure.find((name) => isSet(node[name]));
  if (own) return `OpenAPIV3Schema '${own.replace('$s', 's')}' is not supported`;
  if (Array.isArray(node.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (node[names.preserve] === false) return `internal error: '${names.preserve}' must be true or undefined`;
  for (const child of schemasBelow(node)) {
    const found = findUnsupported(child, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Two fields are refused even when they are empty. */
const isRefused = (node: SchemaNode, field: string): boolean =>
  isSet(node[field]) ||
  (field === '$ref' && node[field] === '') ||
  (field === 'dependencies' && wasGivenEmpty(node, field));

interface NodeOptions {
  readonly rules: SchemaRules;
  readonly depth: number;
  /** True below the metadata, or at the identity, of an object. */
  readonly isInMetadata: boolean;
  readonly defaultsRefusal: string | undefined;
}

/** Answers false when the schema is nested too deep, or has too many errors, to look further. */
function validateNode(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  options: NodeOptions,
): boolean {
  const { rules, depth } = options;
  const { names } = rules;
  if (depth > maxDepth) {
    errors.push(forbiddenField(path, `must not be nested deeper than ${maxDepth}`));
    return false;
  }
  if (isFull(errors)) return false;
  validateOwnFields(errors, node, path, options);
  for (const { field, name, node: child, path: at } of childSchemas(node, path)) {
    if (closedNames.has(field)) continue;
    const isObject = depth === 0 || node[names.embedded] === true;
    const isIdentity =
      isObject && field === 'properties' && ['metadata', 'kind', 'apiVersion'].includes(name);
    const below = {
      rules,
      depth: depth + 1,
      isInMetadata: options.isInMetadata || isIdentity,
      defaultsRefusal: defaultsRefusalBelow(options, field, isIdentity ? name : undefined),
    };
    if (!validateNode(errors, child, at, below)) return false;
  }
  if (node[names.preserve] === false) {
    errors.push(invalidValue(path.child(names.preserve), false, 'must be true or undefined'));
  }
  validateListMarkers(errors, node, path, rules);
  return true;
}

/** Why defaults are refused in a schema below another one. */
function defaultsRefusalBelow(
  { depth, isInMetadata, defaultsRefusal }: NodeOptions,
  field: string,
  identity: string | undefined,
): string | undefined {
  if (depth === 0 && identity !== undefined) return `in top-level ${identity}`;
  // Without a value nobody knows what of such a default would stay.
  if (isInMetadata && field === 'additionalProperties') {
    return 'inside additionalProperties applying to object metadata';
  }
  return defaultsRefusal;
}

function validateOwnFields(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { rules, isInMetadata, defaultsRefusal }: NodeOptions,
): void {
  const refuse = (field: string, detail: string): void => {
    errors.push(forbiddenField(path.child(field), detail));
  };
  const type = textAt(node, 'type');
  if (rules.requiresKnownTypes && type !== '' && !schemaTypes.includes(type)) {
    errors.push(notSupported(path.child('type'), type, schemaTypes));
  }
  if (hasDefault(node) && defaultsRefusal !== undefined)
    refuse('default', `must not be set ${defaultsRefusal}`);
  for (const field of unsupportedFields)
    if (isRefused(node, field)) refuse(field, `${field} is not supported`);
  if (type === 'null') refuse('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(node.items)) refuse('items', 'items must be a schema object and not an array');
  const { embedded } = rules.names;
  if (isInMetadata && node[embedded] === true) refuse(embedded, 'must not be used inside of resource meta');
  if (node.uniqueItems === true) {
    refuse('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  const properties = schemaAt(node, 'properties');
  const others = node.additionalProperties;
  if (
    properties !== undefined &&
    Object.keys(properties).length > 0 &&
    others !== undefined &&
    others !== true
  ) {
    refuse('additionalProperties', 'additionalProperties and properties are mutual exclusive');
  }
}
