import { compareVersions, formatGroupVersion } from '../../machinery/schema/index.ts';
import {
  computeStorageVersionHash,
  type Deprecation,
  type ServedResource,
  type ServedSubresource,
} from '../resources/index.ts';
import type { DefinitionOutline, VersionOutline } from './definition.ts';

/** In the order in which discovery lists them. */
const allVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** What discovery shows of resources whose definition is under deletion. */
const verbsAtTheEnd = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/** The resource of one version of a definition, as data: what discovery shows of it, and how requests find it. */
export function servedResource(outline: DefinitionOutline, version: VersionOutline): ServedResource {
  const { group, names, isNamespaced, storageVersion, isTerminating } = outline;
  const { plural, singular = '', kind, listKind = `${kind}List`, shortNames = [], categories = [] } = names;
  const storage = { group, version: storageVersion, kind };
  const deprecation = deprecationOf(outline, version);
  return {
    group,
    version: version.name,
    kind,
    resource: plural,
    listKind,
    singular,
    shortNames,
    categories,
    namespaced: isNamespaced,
    verbs: allVerbs,
    isTerminating,
    storage,
    storePrefix: storePrefixOf(outline),
    storageVersionHash: computeStorageVersionHash(storage),
    subresources: subresourcesOf(outline, version),
    ...(deprecation === undefined ? {} : { deprecation }),
  };
}

/** The resource as discovery shows it. */
export function shownResource(outline: DefinitionOutline, version: VersionOutline): ServedResource {
  const resource = servedResource(outline, version);
  return outline.isTerminating ? { ...resource, verbs: verbsAtTheEnd } : resource;
}

/** Key prefix of a definition's objects below the store's root, without slashes at the ends. */
const storePrefixOf = ({ group, names }: DefinitionOutline): string => `${group}/${names.plural}`;

function subresourcesOf(
  { group, names }: DefinitionOutline,
  { name: version, hasStatus, scale }: VersionOutline,
): ServedSubresource[] {
  const status = { name: 'status', group, version, kind: names.kind, verbs: subresourceVerbs };
  const scaling = {
    name: 'scale',
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    verbs: subresourceVerbs,
  };
  return [...(hasStatus ? [status] : []), ...(scale === undefined ? [] : [{ ...scaling, scale }])];
}

function deprecationOf(outline: DefinitionOutline, version: VersionOutline): Deprecation | undefined {
  if (!version.isDeprecated) return undefined;
  return { warning: version.deprecationWarning ?? usualWarning(outline, version), removedRelease: '' };
}

/** Names the most preferred version that is better than the deprecated one, if there is one. */
function usualWarning({ group, names, versions }: DefinitionOutline, { name }: VersionOutline): string {
  const show = (version: string): string => `${formatGroupVersion(group, version)} ${names.kind}`;
  const [better] = versions
    .filter(
      ({ isServed, isDeprecated, name: other }) =>
        isServed && !isDeprecated && compareVersions(other, name) < 0,
    )
    .map((other) => other.name)
    .sort(compareVersions);
  return `${show(name)} is deprecated${better === undefined ? '' : `; use ${show(better)}`}`;
}
