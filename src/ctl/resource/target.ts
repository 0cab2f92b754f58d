import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { type ResourcePath, resourcePath } from '../../client/rest/index.ts';

/** One request's worth of what a command works on: an object by name, or a collection. */
export interface Target {
  readonly resource: DiscoveredResource;
  /** Empty for cluster-scoped resources and for all namespaces. */
  readonly namespace: string;
  /** Undefined: the collection. */
  readonly name?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Of an object of a file: how many errors were found in files before it. */
  readonly after?: number | undefined;
}

/** The path of a target. */
export function targetPath(target: Target, subresource?: string): string {
  return resourcePath(pathParts(target, subresource));
}

function pathParts({ resource, namespace, name }: Target, subresource: string | undefined): ResourcePath {
  return {
    group: resource.group,
    version: resource.version,
    resource: resource.name,
    namespace,
    name,
    subresource,
  };
}

/** `v1` or `apps/v1` of a resource. */
export function apiVersionOf({ group, version }: DiscoveredResource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `pods`, `deployments.apps`: a type in messages. */
export function typeName({ group, name }: DiscoveredResource): string {
  return group === '' ? name : `${name}.${group}`;
}

/** A kind as release 1.20's client names it in sentences: `configmap`, `deployment.apps`. */
export function kindName({ kind, group }: Pick<DiscoveredResource, 'kind' | 'group'>): string {
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
}
