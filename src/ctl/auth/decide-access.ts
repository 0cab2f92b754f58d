import {
  type BindingLike,
  findMissingRules,
  isProtected,
  isSame,
  mergeMetadata,
  type RoleLike,
} from '../../apis/bootstrap/index.ts';
import type { PolicyRule, Subject } from '../../apis/types/rbac-authorization-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** Whether what is there beyond the wanted is taken away. */
export interface RemovalOptions {
  readonly extraPermissions: boolean;
  readonly extraSubjects: boolean;
}

/** What a role or binding lacks and what is done about it. Source: release 1.20, `registry/rbac/reconciliation`. */
export interface AccessPlan {
  readonly operation: 'none' | 'create' | 'update' | 'recreate';
  /** The owner of what is there does not want it changed. */
  readonly isProtected: boolean;
  /** As it is to be. */
  readonly object: RoleLike | BindingLike;
  readonly missingRules: readonly PolicyRule[];
  readonly extraRules: readonly PolicyRule[];
  readonly missingSubjects: readonly Subject[];
  readonly extraSubjects: readonly Subject[];
}

const nothing = { missingRules: [], extraRules: [], missingSubjects: [], extraSubjects: [] } as const;

/** What brings a role to what is wanted. Pure. */
export function decideRole(
  wanted: RoleLike,
  existing: RoleLike | undefined,
  { dialect, removal }: { readonly dialect: Dialect; readonly removal: RemovalOptions },
): AccessPlan {
  if (existing === undefined)
    return {
      ...nothing,
      operation: 'create',
      isProtected: false,
      object: wanted,
      missingRules: wanted.rules ?? [],
    };
  const object: RoleLike = { ...existing, metadata: mergeMetadata(existing.metadata, wanted.metadata) };
  const isAggregated = wanted.aggregationRule !== undefined;
  const own = existing.rules ?? [];
  // The rules of an aggregated role are its controller's.
  const missingRules = isAggregated ? [] : findMissingRules(own, wanted.rules ?? []);
  const extra = isAggregated ? [] : findMissingRules(wanted.rules ?? [], own);
  if (isAggregated) object.aggregationRule = wanted.aggregationRule;
  else if (removal.extraPermissions && extra.length > 0) object.rules = wanted.rules;
  else if (missingRules.length > 0) object.rules = [...own, ...missingRules];
  return {
    ...nothing,
    operation: isSame(existing, object) ? 'none' : 'update',
    isProtected: isProtected(existing.metadata, dialect),
    object,
    missingRules,
    extraRules: removal.extraPermissions ? extra : [],
  };
}

/** What brings a binding to what is wanted; one of another role is made anew. Pure. */
export function decideBinding(
  wanted: BindingLike,
  existing: BindingLike | undefined,
  { dialect, removal }: { readonly dialect: Dialect; readonly removal: RemovalOptions },
): AccessPlan {
  const subjects = wanted.subjects ?? [];
  if (existing === undefined)
    return { ...nothing, operation: 'create', isProtected: false, object: wanted, missingSubjects: subjects };
  const own = existing.subjects ?? [];
  const without = (of: readonly Subject[], others: readonly Subject[]): Subject[] =>
    of.filter((subject) => !others.some((other) => isSame(other, subject)));
  const missingSubjects = without(subjects, own);
  const extraSubjects = removal.extraSubjects ? without(own, subjects) : [];
  const found = {
    ...nothing,
    isProtected: isProtected(existing.metadata, dialect),
    missingSubjects,
    extraSubjects,
  };
  if (!isSame(existing.roleRef, wanted.roleRef)) return { ...found, operation: 'recreate', object: wanted };
  const object: BindingLike = { ...existing, metadata: mergeMetadata(existing.metadata, wanted.metadata) };
  if (extraSubjects.length > 0) object.subjects = [...subjects];
  else if (missingSubjects.length > 0) object.subjects = [...own, ...missingSubjects];
  return { ...found, operation: isSame(existing, object) ? 'none' : 'update', object };
}
