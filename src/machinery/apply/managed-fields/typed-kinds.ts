import { isJsonObject } from '../../../base/index.ts';
import type { ManagedFieldsEntry } from '../../meta/index.ts';
import { parseGroupVersion } from '../../schema/index.ts';
import { ConversionError, type ConvertTyped, type TypedObject } from '../merge/managers.ts';
import { TypedError } from '../typed/list-items.ts';
import { validateTyped } from '../typed/validate.ts';
import type { ApplySchema } from '../typed/view.ts';
import { withoutManagedFields } from './strip.ts';

type Json = Record<string, unknown>;

/** What there is to know about kinds. */
export interface TypedKinds {
  /**
   * The schema of a kind in a version, undefined when the server does not have it. `resourceKind` is the kind of the
   * resource that is written, where `kind` is another.
   */
  schemaOf(apiVersion: string, kind: string, resourceKind?: string): ApplySchema | undefined;
  /** The object in another version of its group, in canonical form; undefined when that version is gone. */
  convert(object: Json, toApiVersion: string): Json | undefined;
}

/** Conversion of what an owner has to the version that it was recorded in. */
export function createConvertTyped(kinds: TypedKinds): ConvertTyped {
  return (typed, apiVersion) => {
    if (typed.apiVersion === apiVersion) return typed;
    if (parseGroupVersion(apiVersion) === undefined)
      throw new TypedError(`unexpected GroupVersion string: ${apiVersion}`);
    const schema = kinds.schemaOf(apiVersion, kindOf(typed.object));
    const object = schema && kinds.convert(typed.object, apiVersion);
    return schema && object && fitting({ object: withoutManagedFields(object), apiVersion, schema });
  };
}

/** What was converted: lists may have keys in one version that they have not in another. @throws ConversionError */
function fitting(typed: TypedObject): TypedObject {
  try {
    validateTyped(typed.schema.root, typed.object);
    return typed;
  } catch (error) {
    throw error instanceof TypedError ? new ConversionError(error.message) : error;
  }
}

/** The record of owners that an object has; empty for none. */
export function entriesOf(object: Json | undefined): readonly ManagedFieldsEntry[] {
  const metadata = isJsonObject(object?.metadata) ? object.metadata : {};
  // The server wrote or decoded it.
  return (metadata.managedFields as ManagedFieldsEntry[] | undefined) ?? [];
}

/** The kind that an object says it is of; empty when it says none. */
export const kindOf = (object: Json): string => (typeof object.kind === 'string' ? object.kind : '');
