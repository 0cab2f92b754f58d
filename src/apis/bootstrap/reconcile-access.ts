import { asJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject, ObjectMeta } from '../../machinery/meta/index.ts';
import type { AggregationRule, PolicyRule, RoleRef, Subject } from '../types/rbac-authorization-v1.ts';
import type { BootstrapAction } from './bootstrap-object.ts';
import { isSame } from './is-same.ts';

/** A role, of a namespace or of the cluster. */
export interface RoleLike {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  rules?: PolicyRule[] | null | undefined;
  aggregationRule?: AggregationRule | undefined;
}

/** A role binding, of a namespace or of the cluster. */
export interface BindingLike {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  subjects?: Subject[] | null | undefined;
  roleRef: RoleRef;
}

/** Adds labels, annotations, permissions and aggregation selectors that a role lacks; takes nothing away. */
export function reconcileRole(
  existing: RoleLike,
  wanted: RoleLike,
  dialect: Dialect,
): BootstrapAction | undefined {
  if (isProtected(existing.metadata, dialect)) return undefined;
  const object: RoleLike = { ...existing, metadata: mergeMetadata(existing.metadata, wanted.metadata) };
  // The rules of an aggregated role are its controller's.
  if (wanted.aggregationRule === undefined) {
    const missing = findMissingRules(existing.rules ?? [], wanted.rules ?? []);
    if (missing.length > 0) object.rules = [...(existing.rules ?? []), ...missing];
  } else {
    const own = existing.aggregationRule?.clusterRoleSelectors ?? [];
    const selectors = wanted.aggregationRule.clusterRoleSelectors ?? [];
    const missing = selectors.filter((selector) => !own.some((other) => isSame(other, selector)));
    if (missing.length > 0) object.aggregationRule = { clusterRoleSelectors: [...own, ...missing] };
  }
  return isSame(existing, object) ? undefined : { kind: 'update', object };
}

/** Adds labels, annotations and subjects that a binding lacks. A binding to another role is replaced. */
export function reconcileBinding(
  existing: BindingLike,
  wanted: BindingLike,
  dialect: Dialect,
): BootstrapAction | undefined {
  if (isProtected(existing.metadata, dialect)) return undefined;
  if (!isSame(existing.roleRef, wanted.roleRef)) return { kind: 'replace', object: wanted };
  const own = existing.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter((subject) => !own.some((other) => isSame(other, subject)));
  const object: BindingLike = { ...existing, metadata: mergeMetadata(existing.metadata, wanted.metadata) };
  if (missing.length > 0) object.subjects = [...own, ...missing];
  return isSame(existing, object) ? undefined : { kind: 'update', object };
}

/** A new binding for the users of another one, with its labels and annotations. Source: release 1.20, `storage_rbac.go`. */
export function splitBinding(source: ApiObject, wanted: ApiObject): ApiObject {
  const { labels, annotations } = source.metadata;
  const { subjects } = asJsonObject(source);
  return Object.assign({ ...wanted, metadata: { ...wanted.metadata, labels, annotations } }, { subjects });
}

/** Whether its owner wants an object left as it is. */
export function isProtected({ annotations }: ObjectMeta, dialect: Dialect): boolean {
  return annotations?.[dialect.spell('rbac.authorization.orch.io/autoupdate')] === 'false';
}

/** What is there wins over what is wanted. */
export function mergeMetadata(existing: ObjectMeta, wanted: ObjectMeta): ObjectMeta {
  return {
    ...existing,
    labels: mergeTexts(existing.labels, wanted.labels),
    annotations: mergeTexts(existing.annotations, wanted.annotations),
  };
}

function mergeTexts(
  existing: ObjectMeta['labels'],
  wanted: ObjectMeta['labels'],
): Record<string, string> | undefined {
  return existing === undefined && wanted === undefined ? undefined : { ...wanted, ...existing };
}

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
