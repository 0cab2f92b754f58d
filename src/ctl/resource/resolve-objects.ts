import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { isWireObject, listItems, type WireObject } from './api-object.ts';
import { arrangeErrors, interleaveErrors, type PlacedError } from './arrange-errors.ts';
import { readDocuments } from './read-collection.ts';
import { namesSources, type SourceRequest } from './read-sources.ts';
import { resolveFiles } from './resolve-files.ts';
import { resolveTargets, type TargetRequest } from './resolve-targets.ts';
import type { Target } from './target.ts';

/** A live object and where it is. */
export interface LiveTarget extends Target {
  readonly name: string;
  readonly object: WireObject;
}

/** Which objects: named by files, or by arguments and selectors. */
export interface ObjectRequest extends TargetRequest, SourceRequest {
  readonly chunkSize?: number | undefined;
  /** Where release 1.20's client tells of files that make no sense; left out: as it comes to them. */
  readonly errorPlace?: 'first' | 'last';
}

/** Live objects, and what went wrong with others. */
export interface ResolvedObjects {
  readonly objects: readonly LiveTarget[];
  readonly errors: unknown[];
}

/** Reads all objects that a command line selects. @throws CtlError when it makes no sense */
export async function resolveObjects(ctl: Ctl, request: ObjectRequest): Promise<ResolvedObjects> {
  const objects: LiveTarget[] = [];
  const { targets, errors } = await findTargets(ctl, request);
  const client = await ctl.client();
  const unread: PlacedError[] = [];
  for (const target of targets) {
    try {
      const options = { chunkSize: request.chunkSize ?? 500, signal: ctl.io.signal };
      for await (const document of readDocuments(client, target, options)) {
        const found = target.name === undefined ? listItems(document, target.resource) : [document];
        for (const object of found) objects.push(toLive(target, object));
      }
    } catch (error) {
      unread.push({ error, after: target.after ?? 0 });
    }
  }
  const { errorPlace } = request;
  if (errorPlace === undefined) return { objects, errors: interleaveErrors(ctl.dialect, errors, unread) };
  const found = { ofFiles: errors, ofObjects: unread.map(({ error }) => error) };
  return { objects, errors: arrangeErrors(ctl.dialect, found, errorPlace) };
}

/**
 * The same for commands that make something from an object and do not change it: of files they take what stands there, which
 * need not be on the server yet. @throws CtlError when the command line makes no sense
 */
export async function resolveDescribed(ctl: Ctl, request: ObjectRequest): Promise<ResolvedObjects> {
  if (!namesSources(request)) return resolveObjects(ctl, request);
  const { targets, errors } = await resolveFiles(ctl, request);
  return { objects: targets, errors };
}

/** How a command finds its objects. */
type Resolve = (ctl: Ctl, request: ObjectRequest) => Promise<ResolvedObjects>;

/** For commands that point whoever names no object to their help. @throws UsageError */
export async function resolveForUsage(
  ctl: Ctl,
  request: ObjectRequest,
  resolve: Resolve = resolveObjects,
): Promise<ResolvedObjects> {
  try {
    return await resolve(ctl, request);
  } catch (error) {
    throw error instanceof CtlError ? new UsageError(error.message) : error;
  }
}

async function findTargets(
  ctl: Ctl,
  request: ObjectRequest,
): Promise<{ targets: readonly Target[]; errors: unknown[] }> {
  if (namesSources(request)) {
    return resolveFiles(ctl, { ...request, labelSelector: request.labelSelector });
  }
  return { targets: await resolveTargets(ctl, request), errors: [] };
}

function toLive(target: Target, object: unknown): LiveTarget {
  if (!isWireObject(object))
    throw new CtlError(`the server's answer for ${target.resource.name} is no object`);
  const { name = '', namespace = '' } = object.metadata;
  return { resource: target.resource, namespace, name, object };
}
