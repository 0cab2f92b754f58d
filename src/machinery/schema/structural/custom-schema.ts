import type { JsonObject } from '../../../base/index.ts';
import type { Dialect } from '../../dialect.ts';
import { type FieldError, fieldPath } from '../../errors/index.ts';
import { removeNulls, setDefaults } from './defaults.ts';
import {
  type CoerceOptions,
  coerceBelow,
  type EmbeddedMetadata,
  validateEmbedded,
} from './embedded-objects.ts';
import { Effort, Findings } from './findings.ts';
import { validateLists } from './list-items.ts';
import { pruneObject } from './prune.ts';
import { extensionNames, type SchemaNode } from './schema-names.ts';
import { isSettled } from './settled.ts';
import { Structural } from './structural.ts';
import { ValueSchema } from './value-schema.ts';

/** What a version's schema says of its objects. Parts are compiled when an object first needs them. */
export interface CustomSchema {
  /**
   * True when an object is known to have all defaults and nothing to prune or to coerce, in one pass instead of three. Most
   * objects are so; false where only the functions below can tell.
   */
  isSettled(object: JsonObject): boolean;
  /**
   * Removes what the schema does not name, in place; `apiVersion`, `kind` and `metadata` stay. Nothing where the definition
   * preserves unknown fields.
   */
  prune(object: JsonObject): void;
  /**
   * Sets defaults in place, before pruning. A null that is not allowed gives way to the default, or counts as absent. False
   * when there are too many of them for one object.
   */
  applyDefaults(object: JsonObject, settings?: { readonly keepsNulls?: boolean }): boolean;
  /**
   * Gives the metadata of embedded objects its canonical form, in place, after pruning. Answers the first field of a wrong
   * type, unless such fields are dropped.
   */
  coerceEmbedded(object: JsonObject, options: CoerceOptions): FieldError | undefined;
  /** All errors by the schema's own words, in release 1.20's order. Those of subresources come after them there. */
  validateValues(object: JsonObject): FieldError[];
  /**
   * Errors that come after all others: identity and metadata of embedded objects, and items of lists that must differ.
   * An object may keep items that were not different in `old`.
   */
  validateMarkers(object: JsonObject, old?: JsonObject): FieldError[];
}

/** What a definition and its server say beside the schema. */
export interface CustomSchemaSettings {
  /** `spec.preserveUnknownFields`: nothing is pruned, and the schema need not be structural. */
  readonly preservesUnknownFields: boolean;
  readonly dialect: Dialect;
  readonly metadata: EmbeddedMetadata;
}

const root = fieldPath();

/** The functions of one version's schema, as the definition has it; without a schema anything is kept and taken. */
export function compileCustomSchema(
  schema: SchemaNode | undefined,
  { preservesUnknownFields, dialect, metadata }: CustomSchemaSettings,
): CustomSchema {
  const names = extensionNames(dialect);
  const structural = new Structural(schema ?? {}, names);
  const values = new ValueSchema(schema ?? {}, { names });
  return {
    isSettled: (object) => isSettled(object, structural, { preservesUnknownFields }),
    prune(object) {
      if (!preservesUnknownFields) pruneObject(object, structural);
    },
    applyDefaults(object, { keepsNulls = false } = {}) {
      if (!keepsNulls) removeNulls(object, structural);
      return setDefaults(object, structural);
    },
    coerceEmbedded: (object, options) =>
      coerceBelow(object, structural, root, { ...options, metadata, effort: new Effort() }),
    validateValues: (object) => errorsOf(values, object),
    validateMarkers(object, old) {
      const errors: FieldError[] = [];
      const effort = new Effort();
      validateEmbedded(errors, object, structural, root, { metadata, effort });
      const repeated: FieldError[] = [];
      validateLists(repeated, object, structural, root, effort);
      if (effort.isSpent) return new Findings(effort).errors(undefined);
      if (repeated.length === 0 || (old !== undefined && hasRepeated(old, structural))) return errors;
      return [...errors, ...repeated];
    },
  };
}

function errorsOf(schema: ValueSchema, object: JsonObject): FieldError[] {
  const findings = new Findings(new Effort());
  schema.check(object, '', findings);
  return findings.errors(undefined);
}

function hasRepeated(object: JsonObject, structural: Structural): boolean {
  const errors: FieldError[] = [];
  validateLists(errors, object, structural, root, new Effort());
  return errors.length > 0;
}
