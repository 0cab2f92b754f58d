import type { Dialect } from '../../machinery/dialect.ts';
import type { GroupVersionKind, TypeCatalog } from '../../machinery/schema/index.ts';
import { createKindFamilies, type KindFamilies } from './kind-families.ts';

/**
 * True for two versions, of one group or of several, that hold the same objects. It is asked about requests that fail,
 * so what it needs is made when it is first asked.
 */
export function createKindComparison(
  dialect: Dialect,
  catalog: TypeCatalog,
): (first: GroupVersionKind, second: GroupVersionKind) => boolean {
  let families: KindFamilies | undefined;
  return (first, second) => {
    families ??= createKindFamilies(dialect, catalog);
    const family = families.find(first);
    return family !== undefined && family === families.find(second);
  };
}
