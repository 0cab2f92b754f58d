import type { CompiledType, TypeCatalog } from '../../schema/catalog.ts';
import { listElement, mapElement } from '../../schema/go-names.ts';
import { checkDepth } from '../json-value.ts';

/** What is known of the values at one place of a document: their type, unless they have none, and how deep it is. */
export interface Scope {
  readonly catalog: TypeCatalog;
  readonly shape: Shape;
  readonly depth: number;
}

/** Members that a type lists, members that are all of one type, or anything. */
type Shape =
  | { readonly kind: 'struct'; readonly type: CompiledType }
  | { readonly kind: 'map'; readonly element: string }
  | { readonly kind: 'any' };

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

const anything: Shape = { kind: 'any' };

/** Scope of a whole document of a type. */
export const rootScope = (type: CompiledType, catalog: TypeCatalog): Scope => ({
  catalog,
  shape: { kind: 'struct', type },
  depth: 0,
});

/** Scope of a member. Members that the type does not have are of any shape. @throws PatchError below the deepest level. */
export function enterField({ catalog, shape, depth }: Scope, name: string): FieldScope {
  checkDepth(depth + 1);
  if (shape.kind !== 'struct') {
    const inner = shape.kind === 'map' ? shapeOf(shape.element, catalog) : anything;
    return {
      strategy: '',
      mergeKey: undefined,
      retainsKeys: false,
      inner: { catalog, shape: inner, depth: depth + 1 },
    };
  }
  const field = shape.type.fields.find((candidate) => candidate.name === name);
  const inner = field === undefined ? anything : shapeOf(field.type, catalog);
  return {
    strategy: strategyOf(field?.patchStrategies ?? []),
    mergeKey: field?.patchMergeKey,
    retainsKeys: field?.patchStrategies.includes('retainKeys') ?? false,
    inner: { catalog, shape: inner, depth: depth + 1 },
  };
}

/** `retainKeys` beside or instead of a strategy is for those who make patches. */
function strategyOf(strategies: readonly string[]): FieldScope['strategy'] {
  if (strategies.includes('merge')) return 'merge';
  return strategies.includes('replace') ? 'replace' : '';
}

function shapeOf(typeText: string, catalog: TypeCatalog): Shape {
  const type = listElement(typeText) ?? typeText;
  const element = mapElement(type);
  if (element !== undefined) return { kind: 'map', element };
  // Types have a package; scalars, lists of lists and `any` do not, and nothing in them has a strategy.
  if (!type.includes('.') || type.includes('<')) return anything;
  return { kind: 'struct', type: catalog.type(type) };
}
