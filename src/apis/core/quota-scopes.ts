const scopes: ReadonlySet<string> = new Set([
  'BestEffort',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
]);

/** Scopes that a selector may only ask to exist. */
export const scopesWithoutValues: ReadonlySet<string> = new Set([
  'BestEffort',
  'NotBestEffort',
  'NotTerminating',
  'Terminating',
]);

const pairs: readonly (readonly [string, string])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/** What pods use, and so what a scope of pods may bound. */
const podResources: ReadonlySet<string> = new Set([
  'cpu',
  'limits.cpu',
  'limits.memory',
  'memory',
  'pods',
  'requests.cpu',
  'requests.memory',
]);

/** Other resources that quotas know by name; a scope cannot narrow them. */
const otherResources: ReadonlySet<string> = new Set([
  'configmaps',
  'ephemeral-storage',
  'limits.ephemeral-storage',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'requests.ephemeral-storage',
  'requests.storage',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
]);

/** True for a scope that quotas know. */
export const isQuotaScope = (scope: string): boolean => scopes.has(scope);

/** True when a quota with this scope may bound the resource. */
export function isScopeForResource(scope: string, resource: string): boolean {
  if (!scopes.has(scope)) return true;
  const isKnown =
    podResources.has(resource) || otherResources.has(resource) || /^(requests\.)?hugepages-/.test(resource);
  if (!isKnown) return true;
  return scope === 'BestEffort' ? resource === 'pods' : podResources.has(resource);
}

/** Pairs of scopes, both given, that no object can have together. */
export const conflictingScopes = (given: readonly string[]): (readonly [string, string])[] =>
  pairs.filter(([one, other]) => given.includes(one) && given.includes(other));
