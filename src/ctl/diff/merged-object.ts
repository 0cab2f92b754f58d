import { createApplyPatch } from '../apply/create-apply-patch.ts';
import type { FindBuiltInType } from '../changes/built-in-type.ts';
import { createObject } from '../changes/create-object.ts';
import { readLastApplied } from '../changes/last-applied.ts';
import { changeQuery } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';
import { targetPath } from '../resource/target.ts';

/** How an object would be applied. */
export interface MergeRun {
  readonly ctl: Ctl;
  readonly target: ManifestTarget;
  readonly findType: FindBuiltInType;
  readonly fieldManager: string;
  readonly isServerSide: boolean;
  /** Take fields over that others own (server side only). */
  readonly takesOver: boolean;
}

/**
 * What apply would make of an object, from a rehearsal on the server. With `isLocked` the server refuses when the object
 * is no longer the one given.
 *
 * @throws StatusError
 */
export async function readMerged(
  run: MergeRun,
  live: WireObject | undefined,
  { isLocked }: { readonly isLocked: boolean },
): Promise<WireObject> {
  const merged = await rehearse(run, live, isLocked);
  if (isWireObject(merged)) return merged;
  throw new CtlError(`the server's answer for ${run.target.resource.name} is no object`);
}

async function rehearse(run: MergeRun, live: WireObject | undefined, isLocked: boolean): Promise<unknown> {
  const { ctl, target, fieldManager } = run;
  if (run.isServerSide) {
    const body = target.object;
    return sendPatch(run, { contentType: 'application/apply-patch+yaml', body }, run.takesOver);
  }
  if (live === undefined) return createObject(ctl, target, { dryRun: 'server', fieldManager });
  const { contentType, body, isEmpty } = await createApplyPatch({
    dialect: ctl.dialect,
    findType: run.findType,
    original: readLastApplied(live, ctl.dialect) ?? {},
    modified: withoutCopy(target.object, ctl.dialect.lastAppliedAnnotation),
    current: live,
  });
  if (isEmpty) return live;
  return sendPatch(run, { contentType, body: isLocked ? withVersion(body, live) : body }, false);
}

/** Apply's annotation is left out: that it changes with every other change would only be noise. */
function withoutCopy(object: WireObject, annotation: string): WireObject {
  const { [annotation]: _, ...annotations } = object.metadata.annotations ?? {};
  // Present even when empty, as in what apply keeps: to take the map away would take others' annotations away.
  return { ...object, metadata: { ...object.metadata, annotations } };
}

async function sendPatch(
  { ctl, target, fieldManager }: MergeRun,
  { contentType, body }: { readonly contentType: string; readonly body: unknown },
  forces: boolean,
): Promise<unknown> {
  const client = await ctl.client();
  return client.json({
    method: 'PATCH',
    path: targetPath(target),
    contentType,
    query: { ...changeQuery(fieldManager, 'server'), ...(forces ? { force: 'true' } : {}) },
    body,
    signal: ctl.io.signal,
  });
}

function withVersion(patch: unknown, { metadata: { resourceVersion } }: WireObject): unknown {
  const { metadata, ...others } = patch as { metadata?: object }; // a patch of an object is one
  return { ...others, metadata: { ...metadata, resourceVersion } };
}
