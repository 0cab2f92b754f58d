import { isJsonObject, type Steps } from '../../../base/index.ts';
import type { ManagedFieldsEntry } from '../../meta/index.ts';
import { emptyFieldSet, equalFieldSets, isEmptyFieldSet } from '../fieldpath/field-set.ts';
import { unionOf } from '../fieldpath/set-algebra.ts';
import { ConversionError, type ConvertTyped, type TypedObject } from '../merge/managers.ts';
import { updateOwnership } from '../merge/updater.ts';
import { TypedError } from '../typed/list-items.ts';
import { validateTyped } from '../typed/validate.ts';
import type { ApplySchema } from '../typed/view.ts';
import { capUpdaters } from './cap-updaters.ts';
import { decodeManagedFields, isBrokenRecord } from './decode.ts';
import { encodeManagedFields } from './encode.ts';
import { formatIdentity } from './identity.ts';
import { createNewObjectFields, rememberedTemplates } from './new-object-fields.ts';
import { emptyState, type ManagedState, type ParseFieldSet } from './state.ts';
import { stripUnowned, unownedFields, withoutManagedFields } from './strip.ts';
import { entriesOf, kindOf, type TypedKinds } from './typed-kinds.ts';

type Json = Record<string, unknown>;

/** A create, update or patch, and whose it is. */
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

/** A write by somebody who does not apply. */
export interface UpdateStep {
  readonly live: TypedObject;
  readonly object: TypedObject;
  readonly manager: string;
  readonly now: string;
}

/** Not a JSON text, therefore nobody's identity. */
const currentOperation = 'current-operation';

/** @throws TypedError when the object, or the one before it, has values that the type does not allow. */
function checkFit({ root }: ApplySchema, { object, live }: RecordUpdateInput): void {
  validateTyped(root, withoutManagedFields(object));
  if (live !== undefined) validateTyped(root, withoutManagedFields(live));
}

/** Records owners of what is created, updated or patched. */
export class UpdateRecorder {
  readonly #kinds: TypedKinds;
  readonly #parse: ParseFieldSet;
  readonly #convert: ConvertTyped;
  readonly #fieldsOfNew = createNewObjectFields({ capacity: rememberedTemplates });

  constructor(kinds: TypedKinds, parse: ParseFieldSet, convert: ConvertTyped) {
    this.#kinds = kinds;
    this.#parse = parse;
    this.#convert = convert;
  }

  /** The record for an object that was created, updated or patched; undefined for none. */
  *record(input: RecordUpdateInput): Steps<ManagedFieldsEntry[] | undefined> {
    const schema = this.#kinds.schemaOf(input.apiVersion, kindOf(input.object));
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
      return yield* encodeManagedFields(yield* this.update(state, step));
    } catch (error) {
      // Nobody can tell what of an object is whose that does not fit its type, or by a text that is no version: release 1.20
      // drops the record.
      if (error instanceof TypedError || error instanceof ConversionError) return undefined;
      throw error;
    }
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

  /** Whose what is after a write, its time included. */
  *update(state: ManagedState, input: UpdateStep): Steps<ManagedState> {
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
