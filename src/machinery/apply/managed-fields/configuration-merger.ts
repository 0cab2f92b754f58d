import type { Steps } from '../../../base/index.ts';
import type { ManagedFieldsEntry } from '../../meta/index.ts';
import { equalFieldSets, hasPath } from '../fieldpath/field-set.ts';
import { ApplyConflictError } from '../merge/conflict.ts';
import { ConversionError, type ConvertTyped, equalManagers, type TypedObject } from '../merge/managers.ts';
import { applyOwnership } from '../merge/updater.ts';
import { TypedError } from '../typed/list-items.ts';
import { checkConfiguration, checkTyped, noTypeOf, shownKind } from './check-configuration.ts';
import { decodeManagedFields } from './decode.ts';
import { encodeManagedFields } from './encode.ts';
import { formatIdentity } from './identity.ts';
import { fieldsOfLastApplied, refreshLastApplied } from './last-applied.ts';
import { createAppliedFields, rememberedTemplates } from './new-object-fields.ts';
import type { ManagedState, ParseFieldSet } from './state.ts';
import { applyConflict, applyFailure } from './status.ts';
import { stripUnowned, withoutManagedFields } from './strip.ts';
import { entriesOf, kindOf, type TypedKinds } from './typed-kinds.ts';
import type { UpdateRecorder, UpdateStep } from './update-recorder.ts';

type Json = Record<string, unknown>;

/** An apply: whose, of what, and what it goes into. */
export interface ApplyConfigurationInput {
  /** The object in the version of the request, undefined when there is none yet. */
  readonly live: Json | undefined;
  readonly config: Json;
  readonly manager: string;
  readonly isForced: boolean;
  readonly apiVersion: string;
  /** Kind of the resource, where the configuration's may be another. */
  readonly kind?: string;
  /** RFC 3339 text, seconds. */
  readonly now: string;
}

/** What comes of an apply. */
export interface AppliedObject {
  /** In the version of the request, not decoded or defaulted yet; `live` itself when nothing changes. */
  readonly object: Json;
  readonly managedFields: ManagedFieldsEntry[] | undefined;
  /** False when neither the object nor its owners change. */
  readonly isChanged: boolean;
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

/** Owner of all that an object had before its owners were recorded. */
const beforeFirstApply = 'before-first-apply';

/** The client that used to apply by itself, and the annotation that it leaves. */
export interface LastApplied {
  readonly manager: string;
  readonly annotation: string;
}

interface MergerParts {
  readonly kinds: TypedKinds;
  readonly parse: ParseFieldSet;
  readonly convert: ConvertTyped;
  readonly updates: UpdateRecorder;
  readonly lastApplied: LastApplied | undefined;
}

/** Merges what is applied into objects, and records owners of it. */
export class ConfigurationMerger {
  readonly #parts: MergerParts;
  readonly #fieldsOfApplied = createAppliedFields({ capacity: rememberedTemplates });

  constructor(parts: MergerParts) {
    this.#parts = parts;
  }

  /** @throws StatusError as `FieldManager.applyConfiguration` does. */
  *apply(input: ApplyConfigurationInput): Steps<AppliedObject> {
    const { config, apiVersion, kind = kindOf(config) } = input;
    const { kinds, parse, lastApplied } = this.#parts;
    const own = kinds.schemaOf(apiVersion, kind);
    const isOfKind = kindOf(config) === kind || own?.isDeduced === true;
    const schema = isOfKind ? own : kinds.schemaOf(apiVersion, kindOf(config), kind);
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
      const old = decodeManagedFields(entriesOf(input.live), parse);
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
    return yield* this.#parts.updates.update(state, step);
  }

  *#applyTakingOver(state: ManagedState, step: ApplyStep): Steps<AppliedState> {
    const taken = this.#parts.lastApplied;
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
      convert: this.#parts.convert,
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
