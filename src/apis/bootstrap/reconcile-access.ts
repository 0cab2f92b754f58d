import type { Dialect } from '../../machinery/dialect.ts';
import type { ObjectMeta } from '../../machinery/meta/index.ts';
import type { AggregationRule, PolicyRule, RoleRef, Subject } from '../types/rbac-authorization-v1.ts';
import type { BootstrapAction } from './bootstrap-object.ts';
import { isSame } from './is-same.ts';
import { findMissingRules } from './rule-cover.ts';

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

function isProtected({ annotations }: ObjectMeta, dialect: Dialect): boolean {
  return annotations?.[dialect.spell('rbac.authorization.orch.io/autoupdate')] === 'false';
}

/** What is there wins over what is wanted. */
function mergeMetadata(existing: ObjectMeta, wanted: ObjectMeta): ObjectMeta {
  return {
    ...existing,
    labels: { ...wanted.labels, ...existing.labels },
    annotations: { ...wanted.annotations, ...existing.annotations },
  };
}
