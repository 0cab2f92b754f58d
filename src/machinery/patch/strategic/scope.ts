import type { CompiledType, TypeCatalog } from '../../schema/catalog.ts';
import { checkDepth } from '../json-value.ts';
import { checkMember, findField, memberShape, type Shape } from './shape.ts';
import type { UsedMembers } from './used-members.ts';

/** What is known of the values at one place of a document: their type, unless they have none, and how deep it is. */
export interface Scope {
  readonly catalog: TypeCatalog;
  readonly shape: Shape;
  readonly depth: number;
  /** Notes what of the patch was followed. */
  readonly used?: UsedMembers | undefined;
}

/** How one field is patched. */
export interface FieldScope {
  /** `replace` for fields that are never looked into, `merge` for lists that are merged, otherwise empty. */
  readonly strategy: 'merge' | 'replace' | '';
  /** Member that tells the items of a merged list apart; undefined for lists of scalars. */
  readonly mergeKey: string | undefined;
  /** True where a patch names the members to keep: those of unions, of which the others must go. */
  readonly retainsKeys: boolean;
  /** Of the field's value, or of the items if it is a list. */
  readonly inner: Scope;
}

/** Scope of a whole document of a type. */
export const rootScope = (type: CompiledType, catalog: TypeCatalog, used?: UsedMembers): Scope => ({
  catalog,
  shape: { kind: 'struct', type },
  depth: 0,
  used,
});

/** Scope of a member. Members that the type does not have are of any shape. @throws PatchError below the deepest level. */
export function enterField({ catalog, shape, depth, used }: Scope, name: string): FieldScope {
  checkDepth(depth + 1);
  const field = findField(shape, name);
  return {
    strategy: strategyOf(field?.patchStrategies ?? []),
    mergeKey: field?.patchMergeKey,
    retainsKeys: field?.patchStrategies.includes('retainKeys') ?? false,
    inner: { catalog, shape: memberShape(shape, field, catalog), depth: depth + 1, used },
  };
}

/** Scope of a member of a patch. @throws PatchError as `enterField`, and for members that no struct has. */
export function enterMember(scope: Scope, name: string, value: 'object' | 'list'): FieldScope {
  checkMember(scope.shape, name, value);
  return enterField(scope, name);
}

/** `retainKeys` beside or instead of a strategy is for those who make patches. */
function strategyOf(strategies: readonly string[]): FieldScope['strategy'] {
  if (strategies.includes('merge')) return 'merge';
  return strategies.includes('replace') ? 'replace' : '';
}
