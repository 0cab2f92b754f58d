import { writeYaml } from '../../machinery/codec/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { type FileOptions, hasFiles, sourcesOf } from '../options/shared.ts';
import { isWireObject, listItems, type WireObject, withoutManagedFields } from '../resource/api-object.ts';
import { readDocuments } from '../resource/read-collection.ts';
import { parseMoment } from '../resource/read-past.ts';
import { resolveFiles } from '../resource/resolve-files.ts';
import { resolveTargets } from '../resource/resolve-targets.ts';
import type { Target } from '../resource/target.ts';
import { type FilePair, objectFileName } from './compare-folders.ts';
import { maskSecret } from './mask-secret.ts';

/** Whose changes are wanted, and since when. */
export interface SinceRequest {
  readonly options: FileOptions & {
    readonly selector?: string | undefined;
    readonly allNamespaces: boolean;
    readonly showManagedFields: boolean;
  };
  readonly args: readonly string[];
  /** As it was typed. */
  readonly since: string;
}

const chunkSize = 500;

/**
 * What differs of the objects that are selected now or were then: files for those that changed, came or went. The record of
 * owners, versions and what apply keeps for itself are left out, as they differ whenever anything does.
 *
 * @throws CtlError, StatusError; 404 for a named object that neither is nor was
 */
export async function readChangesSince(ctl: Ctl, request: SinceRequest): Promise<readonly FilePair[]> {
  const at = parseMoment(request.since, { flag: 'since', nowMs: ctl.io.clock.nowMs() });
  const pairs: FilePair[] = [];
  for (const target of await findTargets(ctl, request)) {
    const before = await readObjects(ctl, target, at);
    const after = await readObjects(ctl, target, undefined);
    if (before.absence !== undefined && after.absence !== undefined) throw after.absence;
    for (const key of new Set([...before.objects.keys(), ...after.objects.keys()])) {
      const live = before.objects.get(key);
      const merged = after.objects.get(key);
      const pair = maskSecret(
        { live: live && prepare(ctl, live, request), merged: merged && prepare(ctl, merged, request) },
        ctl.dialect.lastAppliedAnnotation,
      );
      const { namespace = '', name = '' } = (merged ?? live)?.metadata ?? {};
      const files = {
        live: pair.live && writeYaml(pair.live),
        merged: pair.merged && writeYaml(pair.merged),
      };
      if (files.live !== files.merged) {
        pairs.push({ name: objectFileName({ resource: target.resource, namespace, name }), ...files });
      }
    }
  }
  return pairs;
}

async function findTargets(ctl: Ctl, { options, args }: SinceRequest): Promise<readonly Target[]> {
  if (!hasFiles(options)) {
    return resolveTargets(ctl, {
      args,
      labelSelector: options.selector,
      isAllNamespaces: options.allNamespaces,
      allowsTypesOnly: true,
    });
  }
  const { targets, errors } = await resolveFiles(ctl, {
    ...sourcesOf(options),
    labelSelector: options.selector,
    args,
  });
  throwGathered(errors);
  if (targets.some(({ name }) => name === '')) throw new CtlError('resource name may not be empty');
  return targets;
}

/** Objects of a target by namespace and name, at a version or as they are; also why a named one is not among them. */
async function readObjects(
  ctl: Ctl,
  target: Target,
  at: string | undefined,
): Promise<{ readonly objects: ReadonlyMap<string, WireObject>; readonly absence?: unknown }> {
  const objects = new Map<string, WireObject>();
  try {
    const options = { chunkSize, at, signal: ctl.io.signal };
    for await (const document of readDocuments(await ctl.client(), target, options)) {
      const isObject = target.name !== undefined && at === undefined;
      for (const object of isObject ? [document] : listItems(document, target.resource)) {
        if (!isWireObject(object)) continue;
        objects.set(`${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`, object);
      }
    }
  } catch (absence) {
    if (target.name === undefined || !isReason(absence, 'NotFound')) throw absence;
    return { objects, absence };
  }
  return { objects };
}

function prepare(ctl: Ctl, object: WireObject, { options }: SinceRequest): WireObject {
  const { [ctl.dialect.lastAppliedAnnotation]: _, ...annotations } = object.metadata.annotations ?? {};
  const shown = options.showManagedFields ? object : withoutManagedFields(object);
  const { resourceVersion, annotations: given, ...others } = shown.metadata;
  const metadata = {
    ...others,
    ...(given === undefined || Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(options.showManagedFields ? { resourceVersion } : {}),
  };
  return { ...shown, metadata };
}
