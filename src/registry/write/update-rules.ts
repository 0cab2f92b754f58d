import { updateChecksOf } from '../../apis/index.ts';
import type { UserInfo, WriteRules } from '../../apis/kind-rules.ts';
import { deepEqual, deepEqualUntyped } from '../../apis/validation/index.ts';
import { addAll } from '../../base/index.ts';
import { equalValues } from '../../machinery/apply/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { ruleContextOf, type ServedKind, type WriteOptions } from '../resource-store.ts';
import {
  commonMetadataErrors,
  metadataChangeErrors,
  metadataContentErrors,
  ownMetadataErrors,
  throwIfInvalid,
} from './object-metadata.ts';
import { takeLongSteps } from './rest.ts';

/** Which rules an update follows, and for whom. */
export interface RulesRequest {
  /** '' for the whole object. */
  readonly subresource: string;
  /** Rules of the subresource; the kind's own when left out. */
  readonly rules?: WriteRules<ApiObject> | undefined;
  readonly options: { readonly user: UserInfo };
  /** As `RuleContext` has it. */
  readonly isOldValid: boolean;
}

/**
 * Prepares and validates an update in place: what this way of writing may not change is put back, the generation
 * grows when the desired state changed.
 *
 * @throws StatusError 422 with all field errors.
 */
export function applyUpdateRules(
  served: ServedKind,
  request: RulesRequest,
  object: ApiObject,
  old: ApiObject,
): void {
  const { store } = served;
  const { isOldValid } = request;
  const context = { ...ruleContextOf(served, request.options), isOldValid };
  const rules = request.rules ?? served.rules;
  if (request.subresource === '') {
    const { hasStatus = false, hasGeneration = false, countsDroppedFields = false } = served.rules;
    if (hasStatus) restore(object, old, 'status');
    const wasChanged = countsDroppedFields && hasDesiredChange(object, old, served);
    rules.prepareForUpdate?.(object, old, context);
    if (hasGeneration && (wasChanged || hasDesiredChange(object, old, served))) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  } else {
    if (request.subresource === 'status') restoreAllButStatus(object, old);
    rules.prepareForUpdate?.(object, old, context);
  }
  const change = { object, old, content: metadataContentErrors(object) };
  const errors = commonMetadataErrors(store, change);
  for (const check of updateChecksOf(store.kindKey, request.subresource)) {
    if (check === 'shape') addAll(errors, ownMetadataErrors(store, object, change.content));
    else if (check === 'changes') addAll(errors, metadataChangeErrors(store, change));
    else if (check === 'new') addAll(errors, served.rules.validate?.(object, context) ?? []);
    else if (check === 'kept') addAll(errors, rules.validateKept?.(object, old, context) ?? []);
    else addAll(errors, rules.validateUpdate?.(object, old, context) ?? []);
  }
  throwIfInvalid(store, object, errors);
  if (request.subresource === '') {
    store.rules.prepareLast?.(object, old);
    throwIfInvalid(store, object, store.rules.validateLast?.(object, old, context) ?? []);
  }
  served.rules.canonicalize?.(object);
}

/** Who waits for the errors of a write, and by which rules they are found. */
export interface StepsRequest {
  /** Rules of the subresource; the kind's own when left out. */
  readonly rules?: WriteRules<ApiObject> | undefined;
  readonly options: Pick<WriteOptions, 'user' | 'turns'>;
}

/**
 * Looks for the errors that take long, once nothing else is wrong. Undefined when there is nothing to wait for. The promise is rejected
 * with a StatusError 422.
 */
export function validateInSteps(
  served: ServedKind,
  { rules = served.rules, options }: StepsRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<void> | undefined {
  const steps = rules.validateSteps?.(object, old, ruleContextOf(served, options));
  if (steps === undefined) return undefined;
  return Promise.resolve(takeLongSteps(steps, options.turns)).then((errors) =>
    throwIfInvalid(served.store, object, errors),
  );
}

type Fields = Record<string, unknown>;

/** Fields that say nothing of what is desired. */
const common: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'metadata', 'status']);

function restore(object: ApiObject, old: ApiObject, field: string): void {
  const from = old as unknown as Fields; // fields beyond the metadata are the kind's own
  const to = object as unknown as Fields;
  if (field in from) to[field] = from[field];
  else delete to[field];
}

function restoreAllButStatus(object: ApiObject, old: ApiObject): void {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of names) {
    if (!common.has(name)) restore(object, old, name);
  }
}

/**
 * True when anything but metadata and status differs; a status that anybody may write is a field like others. Of objects whose
 * fields nobody knows, one that is empty is not one that is absent.
 */
function hasDesiredChange(object: ApiObject, old: ApiObject, { type, rules }: ServedKind): boolean {
  const { hasStatus, isUntyped } = rules;
  const now = object as unknown as Fields;
  const before = old as unknown as Fields;
  const names = new Set([...Object.keys(now), ...Object.keys(before)]);
  const isEqual =
    type.isUnstructured === true ? equalValues : isUntyped === true ? deepEqualUntyped : deepEqual;
  return [...names].some(
    (name) =>
      (!common.has(name) || (name === 'status' && hasStatus !== true)) && !isEqual(now[name], before[name]),
  );
}
