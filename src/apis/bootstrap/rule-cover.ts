import type { PolicyRule } from '../types/rbac-authorization-v1.ts';

type Texts = readonly string[] | null | undefined;

/**
 * What `wanted` allows and `given` does not, as rules of one verb on one thing each. Empty when everything is
 * allowed already.
 */
export function findMissingRules(given: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(splitRule).filter((rule) => !given.some((owner) => coversRule(owner, rule)));
}

function splitRule(rule: PolicyRule): PolicyRule[] {
  const verbs = rule.verbs ?? [];
  const names = rule.resourceNames ?? [];
  const onResources = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).flatMap((resource) =>
      verbs.flatMap((verb): PolicyRule[] => {
        const single = { verbs: [verb], apiGroups: [group], resources: [resource] };
        return names.length === 0 ? [single] : names.map((name) => ({ ...single, resourceNames: [name] }));
      }),
    ),
  );
  const onPaths = (rule.nonResourceURLs ?? []).flatMap((path) =>
    verbs.map((verb): PolicyRule => ({ verbs: [verb], nonResourceURLs: [path] })),
  );
  return [...onResources, ...onPaths];
}

function coversRule(owner: PolicyRule, rule: PolicyRule): boolean {
  return (
    hasAllOrStar(owner.verbs, rule.verbs) &&
    hasAllOrStar(owner.apiGroups, rule.apiGroups) &&
    (rule.resources ?? []).every((resource) => coversResource(owner.resources ?? [], resource)) &&
    (rule.nonResourceURLs ?? []).every((path) => coversPath(owner.nonResourceURLs ?? [], path)) &&
    coversNames(owner.resourceNames ?? [], rule.resourceNames ?? [])
  );
}

function hasAllOrStar(owned: Texts, wanted: Texts): boolean {
  return owned?.includes('*') === true || (wanted ?? []).every((text) => owned?.includes(text) === true);
}

/** `*` covers all; a rule on all subresources of a name is written with a star before the slash. */
function coversResource(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.includes(`*${resource.slice(slash)}`);
}

function coversPath(owned: readonly string[], path: string): boolean {
  return owned.some((own) => own === path || (own.endsWith('*') && path.startsWith(own.slice(0, -1))));
}

/** A rule without names is about all of them. */
function coversNames(owned: readonly string[], wanted: readonly string[]): boolean {
  if (owned.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => owned.includes(name));
}
