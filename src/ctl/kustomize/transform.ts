import { asJsonObject, asText, isJsonObject, type JsonObject, setOwn } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { Configuration, FieldSpec } from './configuration.ts';
import type { Kustomization } from './kustomization.ts';
import type { Resource } from './resource.ts';

/** Changes the fields of an object that the configuration lists for its kind. @throws CtlError */
export function changeFields(
  resource: Resource,
  specs: readonly FieldSpec[],
  change: (value: unknown) => unknown,
): void {
  for (const spec of specs) {
    if (!resource.isSelectedBy(spec)) continue;
    try {
      mutateField(resource.object, splitPath(spec.path), spec.create === true, change);
    } catch (error) {
      if (!(error instanceof CtlError)) throw error;
      throw new CtlError(`${resource.kind} ${resource.originalName}: ${error.message}`, { cause: error });
    }
  }
}

/** Puts all objects that have one into a namespace, and service accounts that bindings name. @throws CtlError */
export function setNamespace(
  resources: readonly Resource[],
  namespace: string,
  configuration: Configuration,
): void {
  if (namespace === '') return;
  for (const resource of resources) {
    if (resource.isClusterWide) continue;
    changeFields(resource, configuration.namespace, () => namespace);
    resource.namespace = namespace;
  }
  const accounts = new Set(
    resources
      .filter(({ kind, version }) => kind === 'ServiceAccount' && version === 'v1')
      .map(({ originalName }) => originalName),
  );
  for (const { kind, object } of resources) {
    if (kind !== 'ClusterRoleBinding' && kind !== 'RoleBinding') continue;
    for (const subject of Array.isArray(object.subjects) ? object.subjects : []) {
      if (!isJsonObject(subject) || subject.kind !== 'ServiceAccount') continue;
      const name = asText(subject.name);
      if (name === 'default' || accounts.has(name)) subject.namespace = namespace;
    }
  }
}

/** Puts a prefix and a suffix around the names of all objects but definitions, whose names are fixed. @throws CtlError */
export function wrapNames(
  resources: readonly Resource[],
  { namePrefix, nameSuffix }: Pick<Kustomization, 'namePrefix' | 'nameSuffix'>,
  configuration: Configuration,
): void {
  if (namePrefix === '' && nameSuffix === '') return;
  const specs = [...configuration.namePrefix, ...configuration.nameSuffix];
  for (const resource of resources) {
    if (resource.kind === 'CustomResourceDefinition') continue;
    changeFields(resource, specs, (name) => {
      if (typeof name !== 'string') throw new CtlError(`${JSON.stringify(name)} is expected to be text`);
      return `${namePrefix}${name}${nameSuffix}`;
    });
    if (namePrefix !== '') resource.prefixes = [namePrefix, ...resource.prefixes];
    if (nameSuffix !== '') resource.suffixes = [...resource.suffixes, nameSuffix];
  }
}

/** Adds labels or annotations wherever the configuration says. @throws CtlError */
export function addTexts(
  resources: readonly Resource[],
  texts: Readonly<Record<string, string>>,
  specs: readonly FieldSpec[],
): void {
  if (Object.keys(texts).length === 0) return;
  for (const resource of resources) {
    changeFields(resource, specs, (value) => {
      if (value !== undefined && value !== null && !isJsonObject(value)) {
        throw new CtlError(`${JSON.stringify(value)} is expected to be a map`);
      }
      return { ...asJsonObject(value), ...texts };
    });
  }
}

/** Kinds whose `spec.replicas` a kustomization can set. Source: kustomize 2.1, `replicas`. */
const scaledKinds = ['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet'];

/** Sets numbers of replicas. @throws CtlError when nothing has the name */
export function setReplicas(resources: readonly Resource[], replicas: Kustomization['replicas']): void {
  for (const { name, count } of replicas) {
    const scaled = resources.filter(
      ({ kind, originalName }) => originalName === name && scaledKinds.includes(kind),
    );
    if (scaled.length === 0) {
      throw new CtlError(`replicas: no ${scaledKinds.join(', ')} has the name ${JSON.stringify(name)}`);
    }
    for (const { object } of scaled) mutateField(object, ['spec', 'replicas'], true, () => count);
  }
}

/** The names of a path such as `spec/template`; `\/` stands for a slash within a name. */
function splitPath(path: string): string[] {
  return path.split(/(?<!\\)\//).map((name) => name.replaceAll('\\/', '/'));
}

/**
 * Replaces the values that a path leads to; lists on the way stand for all of their items. A field that is missing is
 * made when `create` says so. The object is changed.
 *
 * @throws CtlError when something on the way is neither a map nor a list of maps.
 */
function mutateField(
  object: JsonObject,
  path: readonly string[],
  create: boolean,
  change: (value: unknown) => unknown,
): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (!Object.hasOwn(object, name)) {
    if (!create) return;
    setOwn(object, name, rest.length === 0 ? undefined : {});
  }
  const value = object[name];
  if (rest.length === 0) {
    setOwn(object, name, change(value));
    return;
  }
  if (value === null) return;
  for (const item of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(item)) {
      throw new CtlError(
        `${JSON.stringify(item)} at ${name} is expected to be a map, to reach ${path.join('/')}`,
      );
    }
    mutateField(item, rest, create, change);
  }
}
