/**
 * The record `metadata.managedFields`: reading, writing, its rules for updates and applies, and the errors that
 * clients see. The caller knows kinds, versions and the time; nothing here reads a clock or stores anything.
 */

import { isJsonObject, type Steps } from '../../../base/index.ts';
import type { ManagedFieldsEntry } from '../../meta/index.ts';
import { parseGroupVersion } from '../../schema/index.ts';
import { emptyFieldSet, equalFieldSets, hasPath, isEmptyFieldSet } from '../fieldpath/field-set.ts';
import { unionOf } from '../fieldpath/set-algebra.ts';
import { ApplyConflictError } from '../merge/conflict.ts';
import { ConversionError, type ConvertTyped, equalManagers, type TypedObject } from '../merge/managers.ts';
import { applyOwnership, updateOwnership } from '../merge/updater.ts';
import { TypedError } from '../typed/list-items.ts';
import { validateTyped } from '../typed/validate.ts';
import type { ApplySchema } from '../typed/view.ts';
import { capUpdaters } from './cap-updaters.ts';
import { checkConfiguration, checkTyped, noTypeOf, shownKind } from './check-configuration.ts';
import { decodeManagedFields, isBrokenRecord } from './decode.ts';
import { encodeManagedFields } from './encode.ts';
import { formatIdentity } from './identity.ts';
import { fieldsOfLastApplied, refreshLastApplied } from './last-applied.ts';
import { createAppliedFields, createNewObjectFields } from './new-object-fields.ts';
import { createFieldSetParser } from './set-cache.ts';
import { emptyState, type ManagedState } from './state.ts';
import { applyConflict, applyFailure } from './status.ts';
import { stripUnowned, unownedFields, withoutManagedFields } from './strip.ts';

type Json = Record<string, unknown>;

/** What the manager of fields must be told about kinds. */
export interface FieldManagerOptions {
  /**
   * The schema of a kind in a version, undefined when the server does not have it. `resourceKind` is the kind of the
   * resource that is written, where `kind` is another.
   */
  schemaOf(apiVersion: string, kind: string, resourceKind?: string): ApplySchema | undefined;
  /** The object in another version of its group, in canonical form; undefined when that version is gone. */
  convert(object: Json, toApiVersion: string): Json | undefined;
  /** The client that used to apply by itself, and the annotation that it leaves. Without it nothing is taken over. */
  readonly lastApplied?: { readonly manager: string; readonly annotation: string };
}

export interface RecordUpdateInput {
  /** The object before, undefined for a create. */
  readonly live: Json | undefined;
  /** The object to be written, in the version of the request. */
  readonly object: Json;
  /**
   * `metadata.managedFields` as the request had it: undefined when it had none. Decoding drops empty lists, so
   * it comes apart from the object.
   */
  readonly sent?: readonly ManagedFieldsEntry[] | undefined;
  readonly manager: string;
  readonly apiVersion: string;
  /** RFC 3339 text, seconds. */
  readonly now: string;
}

export interface ApplyConfigurationInput {
  /** The object in the version of the request, undefined when there is none yet. */
  readonly live: Json | undefined;
  readonly config: Json;
  readonly manager: string;
  readonly isForced: boolean;
  readonly apiVersion: string;
  /** Kind of the resource, where the configuration's may be another. */
  readonly kind?: string;
  readonly now: string;
}

export interface AppliedObject {
  /** In the version of the request, not decoded or defaulted yet; `live` itself when nothing changes. */
  readonly object: Json;
  readonly managedFields: ManagedFieldsEntry[] | undefined;
  /** False when neither the object nor its owners change. */
  readonly isChanged: boolean;
}

/** Keeps the record of who owns which fields. What is handed over must not change until the last step. */
export interface FieldManager {
  /** The record for an object that was created, updated or patched; undefined for none. */
  recordUpdate(input: RecordUpdateInput): Steps<ManagedFieldsEntry[] | undefined>;
  /**
   * Merges an applied configuration and gives the record for the result.
   *
   * @throws StatusError: 409 with the conflicts, 400 for another version or managed fields in the body, 500
   * for what does not fit the type.
   */
  applyConfiguration(input: ApplyConfigurationInput): Steps<AppliedObject>;
}

/** Owner of all that an object had before its owners were recorded. */
const beforeFirstApply = 'before-first-apply';
/** Not a JSON text, therefore nobody's identity. */
const currentOperation = 'current-operation';
const rememberedSets = 2000;
const rememberedTemplates = 500;

/** @throws TypedError when the object, or the one before it, has values that the type does not allow. */
function checkFit({ root }: ApplySchema, { object, live }: RecordUpdateInput): void {
  validateTyped(root, withoutManagedFields(object));
  if (live !== undefined) validateTyped(root, withoutManagedFields(live));
}

/** A field manager for all kinds of a server. It remembers recent sets and nothing else. */
export const createFieldManager = (options: FieldManagerOptions): FieldManager => new OwnerRecords(options);

class OwnerRecords implements FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #parse = createFieldSetParser({ capacity: rememberedSets });
  readonly #fieldsOfNew = createNewObjectFields({ capacity: rememberedTemplates });
  readonly #fieldsOfApplied = createAppliedFields({ capacity: rememberedTemplates });
  readonly #convert: ConvertTyped;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#convert = (typed, apiVersion) => {
      if (typed.apiVersion === apiVersion) return typed;
      if (parseGroupVersion(apiVersion) === undefined)
        throw new TypedError(`unexpected GroupVersion string: ${apiVersion}`);
      const schema = options.schemaOf(apiVersion, kindOf(typed.object));
      const object = schema && options.convert(typed.object, apiVersion);
      return schema && object && fitting({ object: withoutManagedFields(object), apiVersion, schema });
    };
  }

  *recordUpdate(input: RecordUpdateInput): Steps<ManagedFieldsEntry[] | undefined> {
    const schema = this.#options.schemaOf(input.apiVersion, kindOf(input.object));
    let state: ManagedState;
    try {
      state = this.#startOf(input);
    } catch (error) {
      if (!isBrokenRecord(error)) throw error;
      // A record that nobody can read is dropped rather than kept as garbage.
      return undefined;
    }
    if (state.managers.size === 0 && hasUid(input.live)) return undefined;
    if (schema === undefined) return yield* encodeManagedFields(state);
    yield;
    const typed = (object: Json): TypedObject => ({
      object: withoutManagedFields(object),
      apiVersion: input.apiVersion,
      schema,
    });
    const { manager, now } = input;
    try {
      if (schema.mayMisfit === true) checkFit(schema, input);
      if (input.live === undefined && state.managers.size === 0)
        return yield* encodeManagedFields(yield* this.#created(schema, input));
      const live = typed(input.live ?? schema.emptyObject());
      const step = { live, object: typed(input.object), manager, now };
      return yield* encodeManagedFields(yield* this.#update(state, step));
    } catch (error) {
      // Nobody can tell what of an object is whose that does not fit its type, or by a text that is no version: release 1.20
      // drops the record.
      if (error instanceof TypedError || error instanceof ConversionError) return undefined;
      throw error;
    }
  }

  *applyConfiguration(input: ApplyConfigurationInput): Steps<AppliedObject> {
    const { config, apiVersion, kind = kindOf(config) } = input;
    const own = this.#options.schemaOf(apiVersion, kind);
    const isOfKind = kindOf(config) === kind || own?.isDeduced === true;
    const schema = isOfKind ? own : this.#options.schemaOf(apiVersion, kindOf(config), kind);
    const liveSchema = own ?? schema;
    if (liveSchema === undefined) throw noTypeOf({ ...config, apiVersion });
    const typed = (object: Json): TypedObject => ({
      object: withoutManagedFields(object),
      apiVersion,
      schema: liveSchema,
    });
    const empty = typed(liveSchema.emptyObject());
    const live = input.live === undefined ? empty : typed(input.live);
    try {
      const old = decodeManagedFields(entriesOf(input.live), this.#parse);
      yield;
      const { manager, now, isForced } = input;
      const start =
        old.managers.size > 0
          ? old
          : yield* this.#firstRecord(old, { live: empty, object: live, manager: beforeFirstApply, now });
      checkConfiguration(config, apiVersion);
      if (schema === undefined) throw noTypeOf({ ...config, apiVersion });
      checkTyped(schema, config, 'failed to create typed patch object');
      yield;
      checkTyped(liveSchema, live.object, 'failed to create typed live object');
      yield;
      if (!isOfKind) {
        const got = `${kind} and ${kindOf(config)}`;
        throw applyFailure(`failed to merge config: expected objects of the same type, but got ${got}`);
      }
      const step = { live, config: typed(config), manager, now, isForced };
      const applied = yield* this.#applyTakingOver(start, step);
      yield;
      let object = applied.object ?? input.live ?? live.object;
      const { lastApplied } = this.#options;
      if (lastApplied !== undefined && manager === lastApplied.manager) {
        object = refreshLastApplied(object, config, lastApplied.annotation);
      }
      const isChanged =
        !applied.isSame || !equalManagers(start.managers, old.managers) || object !== input.live;
      const managedFields = isChanged
        ? yield* encodeManagedFields(applied.state)
        : [...entriesOf(input.live)];
      return { object, managedFields, isChanged };
    } catch (error) {
      if (error instanceof ApplyConflictError) throw applyConflict(error.conflicts);
      if (error instanceof TypedError || error instanceof ConversionError) throw applyFailure(error.message);
      throw error;
    }
  }

  /** The owner of what an object has that had none. @throws StatusError 500 for what does not fit the type. */
  *#firstRecord(state: ManagedState, step: UpdateStep): Steps<ManagedState> {
    const { schema, object } = step.object;
    const what = `failed to convert new object (${shownKind(object)}) to smd typed`;
    checkTyped(schema, object, `failed to create manager for existing fields: ${what}`);
    yield;
    return yield* this.#update(state, step);
  }

  #startOf(input: RecordUpdateInput): ManagedState {
    const sent = input.sent ?? (input.live === undefined ? entriesOf(input.object) : undefined);
    if (sent !== undefined && isReset(sent)) return emptyState;
    if (sent !== undefined) {
      try {
        const state = decodeManagedFields(sent, this.#parse);
        if (state.managers.size > 0) return state;
      } catch (error) {
        if (!isBrokenRecord(error)) throw error;
        // Clients that know nothing of the record must not lose it: the live one counts.
      }
    }
    return decodeManagedFields(entriesOf(input.live), this.#parse);
  }

  /** What `update` gives for an object that nobody had anything of. */
  *#created(
    schema: ApplySchema,
    { object, manager, apiVersion, now }: RecordUpdateInput,
  ): Steps<ManagedState> {
    const set = yield* this.#fieldsOfNew(schema, withoutManagedFields(object));
    if (isEmptyFieldSet(set)) return emptyState;
    const id = updaterOf(manager, apiVersion);
    return { managers: new Map([[id, { set, apiVersion, isApplied: false }]]), times: new Map([[id, now]]) };
  }

  *#update(state: ManagedState, input: UpdateStep): Steps<ManagedState> {
    const { live, object, now } = input;
    const id = updaterOf(input.manager, object.apiVersion);
    const managers = yield* updateOwnership({
      live,
      object,
      managers: state.managers,
      manager: currentOperation,
      writer: id,
      unowned: unownedFields,
      convert: this.#convert,
    });
    if (managers === undefined) return capUpdaters(state);
    stripUnowned(managers, currentOperation);
    const own = managers.get(currentOperation);
    if (own === undefined) return { managers, times: state.times };
    managers.delete(currentOperation);
    const set = unionOf(managers.get(id)?.set ?? emptyFieldSet, own.set);
    const before = state.managers.get(id)?.set;
    if (before !== undefined && equalFieldSets(set, before)) {
      // What is known of the set from before holds on, and so does the time.
      managers.set(id, { ...own, set: before });
      return capUpdaters({ managers, times: state.times });
    }
    managers.set(id, { ...own, set });
    return capUpdaters({ managers, times: new Map(state.times).set(id, now) });
  }

  *#applyTakingOver(state: ManagedState, step: ApplyStep): Steps<AppliedState> {
    const taken = this.#options.lastApplied;
    try {
      return yield* this.#applyOnce(state, step);
    } catch (error) {
      if (!(error instanceof ApplyConflictError) || step.manager !== taken?.manager) throw error;
      const allowed = fieldsOfLastApplied(step.live, taken.annotation);
      const left = error.conflicts.filter(({ path }) => !hasPath(allowed, path));
      if (left.length > 0) throw new ApplyConflictError(left);
      return yield* this.#applyOnce(state, { ...step, isForced: true });
    }
  }

  *#applyOnce(state: ManagedState, step: ApplyStep): Steps<AppliedState> {
    const id = formatIdentity({ manager: step.manager || 'unknown', operation: 'Apply' });
    const { live, config, now } = step;
    const result = yield* applyOwnership({
      live,
      config,
      managers: state.managers,
      manager: id,
      isForced: step.isForced,
      convert: this.#convert,
    });
    stripUnowned(result.managers, id);
    const own = result.managers.get(id);
    const before = state.managers.get(id)?.set;
    if (own !== undefined) {
      const isKept = before !== undefined && equalFieldSets(own.set, before);
      const set = isKept ? before : this.#fieldsOfApplied(config.object, own.set);
      if (set !== own.set) result.managers.set(id, { ...own, set });
    }
    const isSame = result.object === undefined && equalManagers(result.managers, state.managers);
    const times = isSame ? state.times : new Map(state.times).set(id, now);
    return { object: result.object, state: { managers: result.managers, times }, isSame };
  }
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

function entriesOf(object: Json | undefined): readonly ManagedFieldsEntry[] {
  const metadata = isJsonObject(object?.metadata) ? object.metadata : {};
  // The server wrote or decoded it.
  return (metadata.managedFields as ManagedFieldsEntry[] | undefined) ?? [];
}

const kindOf = (object: Json): string => (typeof object.kind === 'string' ? object.kind : '');

interface UpdateStep {
  readonly live: TypedObject;
  readonly object: TypedObject;
  readonly manager: string;
  readonly now: string;
}

interface ApplyStep {
  readonly live: TypedObject;
  readonly config: TypedObject;
  readonly manager: string;
  readonly now: string;
  readonly isForced: boolean;
}

interface AppliedState {
  readonly object: Json | undefined;
  readonly state: ManagedState;
  readonly isSame: boolean;
}

const updaterOf = (manager: string, apiVersion: string): string =>
  formatIdentity({ manager: manager || 'unknown', operation: 'Update', apiVersion });

/** A list that says "no owners": empty, or one entry without anything. */
const isReset = (sent: readonly ManagedFieldsEntry[]): boolean =>
  sent.length === 0 || (sent.length === 1 && Object.values(sent[0] ?? {}).every((part) => part == null));

function hasUid(live: Json | undefined): boolean {
  const metadata = live?.metadata;
  return isJsonObject(metadata) && typeof metadata.uid === 'string' && metadata.uid !== '';
}
