import { errorText, isJsonObject, type JsonObject } from '../../../base/index.ts';
import { type FieldError, type FieldPath, invalidValue, required } from '../../errors/index.ts';
import { isDns1035Label } from '../../formats/index.ts';
import type { Effort } from './findings.ts';
import { shownValue } from './go-text.ts';
import { isObjectField, type Structural } from './structural.ts';

/** What object metadata is, which types and rules elsewhere say. */
export interface EmbeddedMetadata {
  /** Metadata in canonical form, unknown fields left out. @throws DecodeError when a field has the wrong type. */
  decode(value: unknown): JsonObject;
  /** All errors of metadata in canonical form. */
  validate(metadata: JsonObject, path: FieldPath): FieldError[];
}

/** How metadata that does not fit is taken. */
export interface CoerceOptions {
  /** What comes from the store loses the fields that do not fit; what comes from a client is refused. */
  readonly dropsInvalid: boolean;
}

interface Walk extends CoerceOptions {
  readonly metadata: EmbeddedMetadata;
  readonly effort: Effort;
}

/** Finding out which fields of metadata fit costs as much as so many other steps. */
const stepsOfMisfit = 1000;

/**
 * Gives the metadata of all embedded objects below a value its canonical form, in place. Answers the first field that does
 * not fit, unless such fields are dropped.
 */
export function coerceBelow(
  value: unknown,
  schema: Structural | undefined,
  path: FieldPath,
  walk: Walk,
): FieldError | undefined {
  if (schema?.hasEmbedded !== true) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const error = coerceBelow(item, schema.items, path.index(index), walk);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  for (const name of Object.keys(value)) {
    if (schema.isEmbedded && isObjectField(name)) {
      const error = coerceField(value, name, path.child(name), walk);
      if (error !== undefined) return error;
    }
    const property = schema.properties.get(name);
    const below = property === undefined ? path.key(name) : path.child(name);
    const error = coerceBelow(value[name], property ?? schema.additional, below, walk);
    if (error !== undefined) return error;
  }
  return undefined;
}

function coerceField(object: JsonObject, name: string, path: FieldPath, walk: Walk): FieldError | undefined {
  const value = object[name];
  if (name !== 'metadata') {
    if (typeof value === 'string') return undefined;
    if (!walk.dropsInvalid) return invalidValue(path, shownValue(value), 'must be a string');
    delete object[name];
    return undefined;
  }
  try {
    object.metadata = withoutZeroTime(walk.metadata.decode(value ?? {}));
  } catch (error) {
    if (!walk.dropsInvalid) return invalidValue(path, shownValue(value), errorText(error));
    // Where hardly any metadata fits, the rest of it is dropped as a whole.
    if (isJsonObject(value))
      object.metadata = walk.effort.spend(stepsOfMisfit) ? keepValid(value, walk.metadata) : {};
  }
  return undefined;
}

/** Metadata of the fields that fit, each by itself. */
function keepValid(value: JsonObject, metadata: EmbeddedMetadata): JsonObject {
  const kept = Object.entries(value).filter(([name, field]) => isValid({ [name]: field }, metadata));
  return withoutZeroTime(metadata.decode(Object.fromEntries(kept)));
}

function isValid(value: JsonObject, metadata: EmbeddedMetadata): boolean {
  try {
    metadata.decode(value);
    return true;
  } catch {
    // Whatever does not fit is dropped.
    return false;
  }
}

function withoutZeroTime(metadata: JsonObject): JsonObject {
  if (metadata.creationTimestamp === null) delete metadata.creationTimestamp;
  return metadata;
}

/** What embedded objects are checked with. */
interface EmbeddedChecks {
  readonly metadata: EmbeddedMetadata;
  readonly effort: Effort;
}

/** Checking an embedded object costs as much as so many other steps, beside what its metadata does. */
const stepsOfObject = 60;

/** Adds the errors of all embedded objects below a value: who they are, and their metadata. */
export function validateEmbedded(
  errors: FieldError[],
  value: unknown,
  schema: Structural | undefined,
  path: FieldPath,
  checks: EmbeddedChecks,
): void {
  if (schema?.hasEmbedded !== true) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      validateEmbedded(errors, item, schema.items, path.index(index), checks);
    }
  } else if (isJsonObject(value)) {
    if (schema.isEmbedded) validateObject(errors, value, path, checks);
    for (const name in value) {
      const property = schema.properties.get(name);
      const below = property === undefined ? path.key(name) : path.child(name);
      validateEmbedded(errors, value[name], property ?? schema.additional, below, checks);
    }
  }
}

const mixedCase = 'may have mixed case, but should otherwise match: ';

function validateObject(
  errors: FieldError[],
  object: JsonObject,
  path: FieldPath,
  { metadata, effort }: EmbeddedChecks,
): void {
  const { apiVersion, kind } = object;
  if (!effort.spend(stepsOfObject) || !effort.spendOn([apiVersion, kind, object.metadata])) return;
  validateText(errors, apiVersion, path.child('apiVersion'), (text) =>
    text.split('/').length > 2 ? `unexpected GroupVersion string: ${text}` : undefined,
  );
  validateText(errors, kind, path.child('kind'), (text) => {
    const problems = isDns1035Label(text.toLowerCase());
    return problems.length > 0 ? mixedCase + problems.join(',') : undefined;
  });
  if (object.metadata === undefined) return;
  const at = path.child('metadata');
  try {
    errors.push(...metadata.validate(metadata.decode(object.metadata ?? {}), at));
  } catch (error) {
    errors.push(invalidValue(at, shownValue(object.metadata), errorText(error)));
  }
}

function validateText(
  errors: FieldError[],
  value: unknown,
  path: FieldPath,
  findProblem: (text: string) => string | undefined,
): void {
  if (value === undefined) errors.push(required(path, 'must not be empty'));
  else if (value === '') errors.push(invalidValue(path, value, 'must not be empty'));
  else if (typeof value !== 'string') errors.push(invalidValue(path, shownValue(value), 'must be a string'));
  else {
    const problem = findProblem(value);
    if (problem !== undefined) errors.push(invalidValue(path, value, problem));
  }
}
