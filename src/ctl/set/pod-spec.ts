import { asJsonObject, type JsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { typeInMessages } from '../pods/selector-of.ts';
import type { WireObject } from '../resource/api-object.ts';

/** Where kinds keep the pod template, or the pod itself. */
const podSpecPaths: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
};

const podGroups = new Set(['', 'apps', 'batch', 'extensions']);

/** The object with another pod spec; what is given stays as it is. @throws CtlError for kinds that have none */
export function editPodSpec(object: WireObject, edit: (spec: JsonObject) => JsonObject): WireObject {
  const slash = object.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : object.apiVersion.slice(0, slash);
  const path =
    podGroups.has(group) && Object.hasOwn(podSpecPaths, object.kind) ? podSpecPaths[object.kind] : undefined;
  if (path === undefined) {
    throw new CtlError(`the object is not a pod or does not have a pod template: ${typeInMessages(object)}`);
  }
  return { ...object, ...editAt(asJsonObject(object), path, edit) };
}

function editAt(
  value: JsonObject,
  path: readonly string[],
  edit: (spec: JsonObject) => JsonObject,
): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return edit(value);
  return { ...value, [key]: editAt(asJsonObject(value[key]), rest, edit) };
}

/** The pod spec with other containers of one list; a list that is not there stays so. */
export function editContainers(
  spec: JsonObject,
  list: 'containers' | 'initContainers',
  edit: (container: JsonObject) => JsonObject,
): JsonObject {
  const containers = spec[list];
  return Array.isArray(containers)
    ? { ...spec, [list]: containers.map((one) => edit(asJsonObject(one))) }
    : spec;
}

/** Whether a name fits a pattern, in which `*` stands for any characters. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.slice(0, name.length - last.length).indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
