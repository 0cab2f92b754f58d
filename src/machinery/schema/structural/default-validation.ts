import { isJsonObject, type JsonObject } from '../../../base/index.ts';
import { type FieldError, type FieldPath, fieldPath, invalidValue } from '../../errors/index.ts';
import { copyJson } from '../json-text.ts';
import { coerceBelow, type EmbeddedMetadata, validateEmbedded } from './embedded-objects.ts';
import { Effort, Findings } from './findings.ts';
import { goSource, shownValue } from './go-text.ts';
import { pruneValue } from './prune.ts';
import { type ExtensionNames, type SchemaNode, schemaAt } from './schema-names.ts';
import { isObjectField, Structural } from './structural.ts';
import { ValueSchema } from './value-schema.ts';

/** What defaults are checked by, beside the schema that has them. */
export interface DefaultRules {
  readonly names: ExtensionNames;
  readonly metadata: EmbeddedMetadata;
  /** Defaults may not have fields that pruning would take away. */
  readonly requiresPruned: boolean;
}

interface DefaultChecks extends DefaultRules {
  readonly effort: Effort;
}

/** A schema with a default, and where it stands. */
interface Place {
  readonly schema: SchemaNode;
  readonly path: FieldPath;
  /** The object that the place belongs to, and the steps from there. */
  readonly owner: SchemaNode;
  readonly steps: readonly string[];
  /** True below the metadata, or at the identity, of its owner. */
  readonly isInMetadata: boolean;
}

const item = '[]';

/** Errors of the defaults in a structural schema: each must be a value of its own schema. */
export function validateDefaults(root: SchemaNode, path: FieldPath, rules: DefaultRules): FieldError[] {
  const errors: FieldError[] = [];
  // All together may cost what one object may.
  const checks = { ...rules, effort: new Effort() };
  for (const place of placesWithDefaults(root, path, rules.names)) {
    if (place.isInMetadata) validateInMetadata(errors, place, checks);
    else validateDefault(errors, place, checks);
    if (checks.effort.isSpent) return new Findings(checks.effort).errors(path);
  }
  return errors;
}

/** True when pruning takes away parts of a default in a structural schema. */
export function hasUnprunedDefaults(root: SchemaNode, names: ExtensionNames): boolean {
  for (const { schema, isInMetadata } of placesWithDefaults(root, fieldPath(), names)) {
    if (!isInMetadata && !isPruned(schema.default, new Structural(schema, names))) return true;
  }
  return false;
}

function* placesWithDefaults(root: SchemaNode, path: FieldPath, names: ExtensionNames): Generator<Place> {
  const schema = { ...root, [names.embedded]: true };
  yield* placesBelow({ schema, path, owner: schema, steps: [], isInMetadata: false }, names);
}

function* placesBelow(outer: Place, names: ExtensionNames): Generator<Place> {
  const { schema, path } = outer;
  const isEmbedded = schema[names.embedded] === true;
  const place = isEmbedded ? { ...outer, owner: schema, steps: [], isInMetadata: false } : outer;
  if (schema.default !== undefined && schema.default !== null) yield place;
  const items = schemaAt(schema, 'items');
  if (items !== undefined) {
    const steps = [...place.steps, item];
    yield* placesBelow({ ...place, schema: items, path: path.child('items'), steps }, names);
  }
  const properties = schemaAt(schema, 'properties');
  for (const name in properties) {
    const property = schemaAt(properties, name);
    if (property === undefined) continue;
    const isInMetadata = place.isInMetadata || (isEmbedded && isObjectField(name));
    const at = path.child('properties').key(name);
    const steps = [...place.steps, name];
    yield* placesBelow({ ...place, schema: property, path: at, steps, isInMetadata }, names);
  }
}

function validateDefault(errors: FieldError[], { schema, path }: Place, rules: DefaultChecks): void {
  const at = path.child('default');
  const structural = new Structural(schema, rules.names);
  const value = copyJson(schema.default);
  if (rules.requiresPruned && !isPruned(value, structural)) {
    errors.push(invalidValue(at, shownValue(schema.default), 'must not have unknown fields'));
  }
  const misfit = coerceBelow(value, structural, at, { ...rules, dropsInvalid: false });
  const embedded: FieldError[] = [];
  if (misfit !== undefined) embedded.push(misfit);
  else validateEmbedded(embedded, value, structural, at, rules);
  errors.push(...(embedded.length > 0 ? embedded : valueErrors(schema, value, at, rules)));
}

function validateInMetadata(
  errors: FieldError[],
  { schema, path, owner, steps }: Place,
  rules: DefaultChecks,
): void {
  const at = path.child('default');
  const structural = new Structural(owner, rules.names);
  const object = surround(copyJson(schema.default), steps);
  const misfit = coerceBelow(object, structural, fieldPath(), { ...rules, dropsInvalid: false });
  const found: FieldError[] = [];
  if (misfit !== undefined) found.push(misfit);
  else validateEmbedded(found, object, structural, fieldPath(), rules);
  if (found.length === 0) errors.push(...valueErrors(schema, schema.default, at, rules));
  else {
    const texts = found.length === 1 ? String(found[0]) : `[${found.join(', ')}]`;
    errors.push(invalidValue(at, shownValue(schema.default), `must result in valid metadata: ${texts}`));
  }
}

/** An object that has a value where the steps lead, and is fine otherwise. */
function surround(value: unknown, steps: readonly string[]): JsonObject {
  const object = steps.reduceRight<unknown>(
    (inner, step) => (step === item ? [inner] : { [step]: inner }),
    value,
  );
  return { ...(isJsonObject(object) ? object : {}), apiVersion: 'validation/v1', kind: 'Validation' };
}

function valueErrors(
  schema: SchemaNode,
  value: unknown,
  path: FieldPath,
  { names, effort }: DefaultChecks,
): FieldError[] {
  const findings = new Findings(effort);
  new ValueSchema(schema, { names, isOfDefault: true }).check(value, '', findings);
  return findings.errors(path);
}

function isPruned(value: unknown, schema: Structural): boolean {
  const pruned = copyJson(value);
  pruneValue(pruned, schema);
  return goSource(pruned) === goSource(value);
}
