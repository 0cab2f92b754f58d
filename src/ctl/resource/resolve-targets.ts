import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { parseSelection } from './arguments.ts';
import type { Target } from './target.ts';

/** What a command line selects, before any request. */
export interface TargetRequest {
  readonly args: readonly string[];
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly isAllNamespaces?: boolean | undefined;
  /** Everything of the types that are named; it says nothing beside names. */
  readonly isAll?: boolean | undefined;
  /** The same as a selector, with which no names go. */
  readonly selectsAll?: boolean | undefined;
  /** Types alone mean all of their objects. */
  readonly allowsTypesOnly?: boolean | undefined;
}

/**
 * Finds the resources that arguments name and says which requests reach their objects.
 *
 * @throws CtlError as release 1.20 words it.
 */
export async function resolveTargets(ctl: Ctl, request: TargetRequest): Promise<readonly Target[]> {
  const hasSelector = Boolean(request.labelSelector || request.fieldSelector || request.selectsAll);
  const selection = parseSelection(request.args, { hasSelector, hasFiles: false });
  if (selection.kind === 'nothing') {
    if (hasSelector) throw new CtlError('at least one resource must be specified to use a selector');
    throw new CtlError(missingResources);
  }
  const { namespace } = await ctl.context();
  if (selection.kind === 'pairs') {
    const targets: Target[] = [];
    for (const { type, name } of selection.pairs) {
      targets.push(namedTarget(await ctl.findResource(type), name, namespace, request));
    }
    return targets;
  }
  const resources = await findTypes(ctl, selection.types);
  if (selection.names.length > 0) {
    if (resources.length !== 1) throw new CtlError('you must specify only one resource');
    return resources.flatMap((resource) =>
      selection.names.map((name) => namedTarget(resource, name, namespace, request)),
    );
  }
  if (!hasSelector && !request.isAll && !request.allowsTypesOnly) {
    throw new CtlError('resource(s) were provided, but no name, label selector, or --all flag specified');
  }
  return resources.map((resource) => ({
    resource,
    namespace: resource.isNamespaced && !request.isAllNamespaces ? namespace : '',
    labelSelector: request.labelSelector,
    fieldSelector: request.fieldSelector,
  }));
}

/** What release 1.20 says when nothing is named. */
export const missingResources = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

function namedTarget(
  resource: DiscoveredResource,
  name: string,
  namespace: string,
  request: TargetRequest,
): Target {
  // An empty name would mean the whole collection.
  if (name === '') throw new CtlError('resource name may not be empty');
  if (resource.isNamespaced && request.isAllNamespaces) {
    throw new CtlError('a resource cannot be retrieved by name across all namespaces');
  }
  return { resource, name, namespace: resource.isNamespaced ? namespace : '' };
}

/** Types in the order typed; categories such as `all` become their types, each type once. */
async function findTypes(ctl: Ctl, types: readonly string[]): Promise<readonly DiscoveredResource[]> {
  const found = new Map<string, DiscoveredResource>();
  for (const type of types) {
    const resources = (await ctl.findCategory(type)) ?? [await ctl.findResource(type)];
    for (const resource of resources) {
      const key = `${resource.group}/${resource.name}`;
      if (!found.has(key)) found.set(key, resource);
    }
  }
  return [...found.values()];
}
