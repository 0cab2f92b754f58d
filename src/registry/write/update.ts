import { type Steps, takeSteps } from '../../base/index.ts';
import { isReason, notFound } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import { withConversions } from '../remote-conversions.ts';
import {
  decodeStored,
  groupResourceOf,
  keyOf,
  keyOfRequest,
  ruleContextOf,
  type ServedKind,
} from '../resource-store.ts';
import { inServedVersion, toStorageVersion } from '../versions.ts';
import { admitUpdate, admitView } from './admit-update.ts';
import { tryUntilDone } from './contention.ts';
import { createDecoded } from './create.ts';
import { isKnownValid, noteValid } from './known-valid.ts';
import { keepServerMetadata, settleNamespace } from './object-metadata.ts';
import { shownOldObject } from './old-object.ts';
import { dropDuplicateOwners } from './owner-references.ts';
import { checkUid, checkVersion, readVersion } from './preconditions.ts';
import { type PacedWrite, paceSteps, restAfterStep, takeLongSteps } from './rest.ts';
import { isLastStepOfDeletion, isShownOverOld, storeUpdate, type UpdateOutcome } from './store-update.ts';
import { convertLast, type WrittenObject } from './store-writes.ts';
import type { StoredObject } from './stored-owners.ts';
import { confirmUnchanged, rememberUnchanged } from './unchanged.ts';
import type { CurrentObject, UpdatePlan } from './update-plan.ts';
import { applyUpdateRules, validateInSteps } from './update-rules.ts';

/** How often an object that there is not is created, while the store says that there is one. */
const maxCreations = 8;

/** What became of an update. */
export interface UpdateResult extends WrittenObject {
  readonly wasCreated: boolean;
}

/**
 * The part of an update that begins with what is stored: transform > version check > metadata > prepare > validate > admission > store, again from
 * the newest state when another write came first and the client named no version. An object under deletion whose
 * last finalizer goes is removed.
 *
 * @throws StatusError NotFound, Conflict, Invalid, and whatever admission refuses with.
 */
export async function updateStored(served: ServedKind, request: UpdatePlan): Promise<UpdateResult> {
  const { store } = served;
  const key = keyOfRequest(store, request);
  let isSecondTry = false;
  let creations = 0;
  const attempt = async (): Promise<UpdateResult | undefined> => {
    if (store.freshen !== undefined) await store.freshen();
    const current = store.cache.get(key);
    if (current === undefined) return createInstead(served, request, ++creations === maxCreations);
    const isKnown = !isShownOverOld(store, request.options.isDryRun);
    const unchanged = isKnown ? await confirmUnchanged(served, current, request) : undefined;
    if (unchanged !== undefined) return { ...unchanged, wasCreated: false };
    const written = await updateOnce(served, request, { current, isSecondTry });
    if (written === 'again') {
      isSecondTry = true;
      return attempt();
    }
    if (written === undefined) return undefined;
    if (written.cached !== undefined && staysValid(served, request, current)) noteValid(written.cached);
    const { fingerprint, changesNothing } = request;
    if (written.bytes === current.bytes && fingerprint !== undefined && changesNothing?.() !== false)
      rememberUnchanged(current, fingerprint());
    return { ...written, wasCreated: false };
  };
  return tryUntilDone(served, { key, name: request.name, options: request.options }, attempt);
}

/** Whether what was written is valid as a whole: it was looked at so, or is what was valid before with another status. */
const staysValid = (
  served: ServedKind,
  { subresource, rules }: UpdatePlan,
  current: CachedObject,
): boolean =>
  subresource === '' ? rules === served.rules : subresource === 'status' && isKnownValid(current);

/**
 * One attempt of an update: from what is stored to what the store says. Its objects are let go before the store has
 * committed: many requests wait for that at the same time.
 */
async function updateOnce(
  served: ServedKind,
  request: UpdatePlan,
  { current, isSecondTry }: { readonly current: CachedObject; readonly isSecondTry: boolean },
): Promise<UpdateOutcome | 'again'> {
  const { store } = served;
  const before = store.storedOwners.read(current);
  checkUid(served, request, before.old, current.key);
  const pace = paceOf(request, current);
  const rest = restAfterStep(pace);
  if (rest !== undefined) await rest;
  let object: ApiObject;
  try {
    object = await changedObject(served, request, before);
  } catch (error) {
    if (isSecondTry || !isAskedAgain(request)) throw error;
    return 'again';
  }
  // The end of a deletion, which is no update any more, counts as such a failure.
  if (!isSecondTry && isLastStepOfDeletion(store, object, before.old) && isAskedAgain(request))
    return 'again';
  const restBefore = restAfterStep(pace);
  if (restBefore !== undefined) await restBefore;
  return storeUpdate(
    store,
    { ...before, object },
    { isDryRun: request.options.isDryRun, isApplied: isApplied(request), pace },
  );
}

/**
 * Whether an update that failed is tried once more: release 1.20 does so whenever it took the object from its cache, which
 * others can tell that it asks. What nobody else has seen would fail again.
 */
function isAskedAgain({ options: { request, isDryRun } }: UpdatePlan): boolean {
  if (isDryRun || request?.hasAsked !== true) return false;
  request.hasAsked = false;
  return true;
}

/** Undefined when another request has created the object meanwhile. */
async function createInstead(
  served: ServedKind,
  request: UpdatePlan,
  isLastAttempt: boolean,
): Promise<UpdateResult | undefined> {
  const { namespace, name, subresource, options } = request;
  // Kinds that are checked first are looked for before anything else.
  const isSoughtFirst = served.store.rules.isCheckedWithoutVersion === true;
  if (!isSoughtFirst || request.createInstead !== undefined)
    checkUid(served, request, undefined, keyOf(served.store, namespace, name));
  if (request.createInstead === undefined) throw notFound(groupResourceOf(served), name);
  const { authorize } = request.createInstead;
  const { sizeBytes } = request;
  const made = paceSteps(request.createInstead.object(), { sizeBytes, turns: options.turns });
  const object = made instanceof Promise ? await made : made;
  readVersion(object.metadata.resourceVersion);
  // What is not stored shows the version that the client sent.
  if (!options.isDryRun) delete object.metadata.resourceVersion;
  try {
    const needsOwners = isApplied(request);
    const written = await createDecoded(served, {
      namespace,
      requestName: name,
      subresource,
      object,
      options,
      authorize,
      needsOwners,
      sizeBytes,
    });
    return { ...written, wasCreated: true };
  } catch (error) {
    if (isLastAttempt || !isReason(error, 'AlreadyExists')) throw error;
    return undefined;
  }
}

const paceOf = ({ sizeBytes, options }: UpdatePlan, stored: CachedObject): PacedWrite => ({
  sizeBytes: Math.max(sizeBytes, stored.bytes.length),
  turns: options.turns,
});

async function changedObject(
  served: ServedKind,
  request: UpdatePlan,
  { old, stored }: Pick<StoredObject, 'old' | 'stored'>,
): Promise<ApiObject> {
  const { store } = served;
  const { namespace, name, options, subresource } = request;
  const wanted = request.view && (await admitView(served, request, stored));
  const change = () => transformed(served, request, { old, stored, wanted });
  const pace = paceOf(request, stored);
  const changed =
    store.convertsRemotely === true ? withConversions(() => takeSteps(change())) : paceSteps(change(), pace);
  const { object, before } = changed instanceof Promise ? await changed : changed;
  const oldObject = shownOldObject(served, { before, object, isApplied: isApplied(request) });
  const oldOwners = before.metadata.managedFields;
  if (request.view === undefined)
    await admitUpdate(served, request, 'admit', { object, oldObject, oldOwners });
  dropDuplicateOwners(object, 'admitted', options);
  if (store.fieldManager === undefined) delete object.metadata.managedFields;
  const givenVersion = object.metadata.resourceVersion;
  const isCheckedFirst = store.rules.isCheckedWithoutVersion === true && subresource === '';
  if (!isCheckedFirst) checkVersion(served, givenVersion, stored.revision, name);
  // Kinds that are checked without it get theirs from storage when it is written.
  if (givenVersion || !isCheckedFirst) object.metadata.resourceVersion = old.metadata.resourceVersion;
  settleNamespace(store, object, namespace);
  keepServerMetadata(object, before, options);
  const rest = restAfterStep(pace);
  if (rest !== undefined) await rest;
  const compiling = served.rules.compileSteps?.(object, before, ruleContextOf(served, options));
  if (compiling !== undefined) await takeLongSteps(compiling, options.turns);
  applyUpdateRules(served, { ...request, isOldValid: isKnownValid(stored) }, object, before);
  const validating = validateInSteps(served, request, object, before);
  if (validating !== undefined) await validating;
  if (isCheckedFirst) checkVersion(served, givenVersion, stored.revision, name);
  const forgets = served.rules.forgetsOldObject === true;
  await admitUpdate(served, request, 'validate', { object, oldObject: forgets ? object : oldObject });
  return served.convertsLast === true ? convertLast(served, object) : object;
}

/** What the request makes of an object, and the object before, both in the version that rules see. */
function* transformed(
  served: ServedKind,
  request: UpdatePlan,
  { old, stored, wanted }: Pick<StoredObject, 'old' | 'stored'> & Pick<CurrentObject, 'wanted'>,
): Steps<{ readonly object: ApiObject; readonly before: ApiObject }> {
  const current = { ...currentOf(served, old, stored), wanted };
  const object = yield* request.transform(current);
  yield;
  if (served.convertsLast !== true) return { object: toStorageVersion(served, object), before: old };
  return { object, before: current.live() };
}

function currentOf(served: ServedKind, old: ApiObject, stored: CachedObject): Omit<CurrentObject, 'wanted'> {
  let live: ApiObject | undefined;
  return {
    old,
    live() {
      live ??= inServedVersion(served, old);
      return live;
    },
    copy: () => decodeStored(stored),
  };
}

/** Whether the request applies a configuration: it is nothing without its record of owners. */
const isApplied = ({ fingerprint }: UpdatePlan): boolean => fingerprint !== undefined;
