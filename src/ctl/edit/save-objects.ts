import { isDeepStrictEqual } from 'node:util';
import { asJsonObject } from '../../base/index.ts';
import { isReason, StatusError } from '../../machinery/errors/index.ts';
import { createTypeFinder, type FindBuiltInType } from '../changes/built-in-type.ts';
import { withChangeCause } from '../changes/change-cause.ts';
import { withLastApplied } from '../changes/last-applied.ts';
import { type Change, changeQuery } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { formatCompactJson } from '../printers/json.ts';
import { type WireObject, withoutManagedFields } from '../resource/api-object.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { targetPath, typeName } from '../resource/target.ts';
import { createEditPatch, type EditPatch } from './create-edit-patch.ts';
import type { EditReason } from './edit-text.ts';
import type { SaveResult } from './session.ts';

/** How often a patch that lost a race is sent. */
const maxAttempts = 5;

/** How edited objects are saved. */
export interface SaveOptions {
  readonly fieldManager: string;
  readonly savesConfig: boolean;
  readonly printsPatch: boolean;
  readonly report: (change: Change) => void;
}

/** Sends patches of edited objects. What was taken before a failure is not sent again. */
export function createObjectSaver(
  ctl: Ctl,
  originals: readonly LiveTarget[],
  options: SaveOptions,
): (edited: readonly ManifestTarget[]) => Promise<SaveResult> {
  const findType = createTypeFinder(ctl.dialect);
  const known = new Map(originals.map((target) => [target.object.metadata.uid, target]));
  return async (targets) => {
    const refusals: EditReason[] = [];
    let failed = 0;
    let missing = 0;
    for (const target of targets) {
      const original = findOriginal(known, target);
      const plain = withoutManagedFields(target.object);
      // An edit that changes nothing is not recorded either.
      const edited = isDeepStrictEqual(original.object, plain) ? plain : withChangeCause(ctl, plain);
      const object = options.savesConfig ? withLastApplied(edited, ctl.dialect) : edited;
      try {
        await saveObject(ctl, original, object, { ...options, findType });
        known.set(original.object.metadata.uid, { ...original, object });
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        ctl.io.stderr.write(`error: ${describeFailure(error, original)}\n`);
        if (isReason(error, 'Invalid')) refusals.push(toReason(error, original));
        else if (isReason(error, 'NotFound')) missing++;
        else failed++;
      }
    }
    return { refusals, failed, missing };
  };
}

/** By uid, because the name may have been edited. */
function findOriginal(
  known: ReadonlyMap<string | undefined, LiveTarget>,
  { object, resource, name, namespace }: ManifestTarget,
): LiveTarget {
  const original = known.get(object.metadata.uid);
  if (original === undefined) {
    throw new CtlError(`no original object found for ${typeName(resource)} ${JSON.stringify(name)}`);
  }
  if (original.namespace === namespace) return original;
  throw new CtlError(
    `the namespace from the provided object ${JSON.stringify(namespace)} does not match the namespace ${JSON.stringify(original.namespace)}. You must pass '--namespace=${namespace}' to perform this operation.`,
  );
}

async function saveObject(
  ctl: Ctl,
  target: LiveTarget,
  edited: WireObject,
  { fieldManager, printsPatch, report, findType }: SaveOptions & { readonly findType: FindBuiltInType },
): Promise<void> {
  const { resource, name } = target;
  if (isDeepStrictEqual(target.object, edited)) {
    report({ resource, name, object: edited, operation: 'skipped' });
    return;
  }
  const patch = await createEditPatch({ findType, original: target.object, edited });
  if (printsPatch) ctl.io.stdout.write(`Patch: ${formatCompactJson(patch.body)}\n`);
  const object = await sendPatch(ctl, target, patch, fieldManager);
  report({ resource, name, object, operation: 'edited' });
}

async function sendPatch(
  ctl: Ctl,
  target: LiveTarget,
  { contentType, body }: EditPatch,
  fieldManager: string,
): Promise<unknown> {
  const client = await ctl.client();
  const { resourceVersion } = asJsonObject(body.metadata);
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.json({
        method: 'PATCH',
        path: targetPath(target),
        contentType,
        query: changeQuery(fieldManager, 'none'),
        body,
        signal: ctl.io.signal,
      });
    } catch (error) {
      // With a version in the patch the user asked for exactly this refusal.
      const mayRepeat = resourceVersion === undefined && attempt < maxAttempts;
      if (!mayRepeat || !isReason(error, 'Conflict')) throw error;
    }
  }
}

function describeFailure(error: StatusError, { resource, name }: LiveTarget): string {
  const what = `${typeName(resource)} ${JSON.stringify(name)}`;
  switch (error.reason) {
    case 'Invalid':
      return `${what} is invalid`;
    case 'NotFound':
      return `${what} could not be found on the server`;
    default:
      return `${what} could not be patched: ${error.message}`;
  }
}

function toReason({ status }: StatusError, { resource, name }: LiveTarget): EditReason {
  const causes = status.details?.causes ?? [];
  return {
    head: `${typeName(resource)} ${JSON.stringify(name)} was not valid`,
    details: causes.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`),
  };
}
