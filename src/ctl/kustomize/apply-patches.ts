import { isDeepStrictEqual } from 'node:util';
import { asText, isJsonObject, type JsonObject } from '../../base/index.ts';
import { parseYaml } from '../../machinery/codec/index.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  PatchError,
  parseJsonPatch,
  parseMergePatch,
} from '../../machinery/patch/index.ts';
import type { BuiltInType, FindBuiltInType } from '../changes/built-in-type.ts';
import { CtlError } from '../errors.ts';
import type { Folder } from './folder.ts';
import type { JsonPatchSource } from './kustomization.ts';
import { readObjects } from './read-objects.ts';
import { Resource } from './resource.ts';
import type { ResourceMap } from './resource-map.ts';

/** Reads patches that look like the objects they change: files, or the patch itself. @throws CtlError */
export function readStrategicPatches(folder: Folder, sources: readonly string[]): readonly Resource[] {
  return sources.flatMap((source) => {
    const text = source.includes('\n') ? source : folder.read(source).toString('utf8');
    return readObjects(text, source).map((object) => new Resource(object));
  });
}

/**
 * Applies patches by the rules of the objects' types, others as merge patches.
 *
 * @throws CtlError when a patch fits no object, or two set a field to different values.
 */
export async function applyStrategicPatches(
  resources: ResourceMap,
  patches: readonly Resource[],
  findType: FindBuiltInType,
): Promise<void> {
  const applied: Resource[] = [];
  for (const patch of patches) {
    const [target, ...others] = resources.named(patch);
    const what = `${patch.kindText}|${patch.originalName}`;
    if (target === undefined) throw new CtlError(`failed to find an object with ${what} to apply the patch`);
    if (others.length > 0) {
      throw new CtlError(`found multiple objects with ${what}, the patch must fit one only`);
    }
    const apiVersion = asText(patch.object.apiVersion);
    const builtIn = await findType({ apiVersion, kind: patch.kind });
    for (const earlier of applied) {
      if (earlier.isNamedLike(patch)) await refuseConflict(earlier.object, patch.object, builtIn);
    }
    applied.push(patch);
    const { name } = target;
    const patched = await applyOne(target.object, patch.object, builtIn);
    if (!isJsonObject(patched) || Object.keys(patched).length === 0) {
      resources.remove(target);
      continue;
    }
    target.object = patched;
    target.name = name;
  }
}

async function applyOne(
  object: JsonObject,
  patch: JsonObject,
  builtIn: BuiltInType | undefined,
): Promise<unknown> {
  try {
    if (builtIn === undefined) return applyMergePatch(object, parseMergePatch(patch));
    const { applyStrategicMergePatch, parseStrategicMergePatch } = await loadStrategic();
    return applyStrategicMergePatch(object, parseStrategicMergePatch(patch), builtIn.type, builtIn.catalog);
  } catch (error) {
    throw error instanceof PatchError ? new CtlError(error.message, { cause: error }) : error;
  }
}

const loadStrategic = () => import('../../machinery/patch/strategic/index.ts');

async function refuseConflict(a: JsonObject, b: JsonObject, builtIn: BuiltInType | undefined): Promise<void> {
  const fields =
    builtIn === undefined
      ? findMergeConflicts(a, b)
      : (await loadStrategic()).findPatchConflicts(a, b, builtIn.type, builtIn.catalog);
  if (fields.length === 0) return;
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  throw new CtlError(`conflict between ${left} and ${right} about ${fields.join(', ')}`);
}

/** Paths of the fields that two merge patches set to different values. */
function findMergeConflicts(a: JsonObject, b: JsonObject, path: readonly string[] = []): readonly string[] {
  return Object.keys(a).flatMap((key) => {
    if (!Object.hasOwn(b, key)) return [];
    const [left, right] = [a[key], b[key]];
    const here = [...path, key];
    if (isJsonObject(left) && isJsonObject(right)) return findMergeConflicts(left, right, here);
    return isDeepStrictEqual(left, right) ? [] : [here.join('.')];
  });
}

/** Applies lists of operations. @throws CtlError for one that has no target or does not apply */
export function applyJsonPatches(
  resources: ResourceMap,
  sources: readonly JsonPatchSource[],
  folder: Folder,
): void {
  for (const { target, path, patch } of sources) {
    if ((path === '') === (patch === '')) {
      throw new CtlError(`patchesJson6902 for ${target.kind} ${target.name}: needs either path or patch`);
    }
    const text = patch === '' ? folder.read(path).toString('utf8') : patch;
    const { group, version, kind, name: originalName, namespace } = target;
    const matches = resources
      .named({ group, version, kind, originalName })
      .filter((resource) => namespace === '' || resource.namespace === namespace);
    const [resource] = matches;
    if (resource === undefined) {
      const where = [group || '~G', version || '~V', kind].join('_');
      throw new CtlError(`couldn't find target ${where}|${originalName} for json patch`);
    }
    if (matches.length > 1) {
      const ids = matches.map(({ id }) => id).join(' ');
      throw new CtlError(`found multiple targets [${ids}] for the patch of ${kind} ${originalName}`);
    }
    try {
      const patched = applyJsonPatch(resource.object, parseJsonPatch(parseYaml(Buffer.from(text, 'utf8'))));
      if (isJsonObject(patched)) resource.object = patched;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new CtlError(`failed to apply json patch '${text.trim()}': ${error.message}`, { cause: error });
    }
  }
}
