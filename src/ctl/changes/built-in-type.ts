import type { Dialect } from '../../machinery/dialect.ts';
import type { CompiledType, TypeCatalog } from '../../machinery/schema/index.ts';

/** The type of a kind, and the catalog with the types that it is made of. */
export interface BuiltInType {
  readonly type: CompiledType;
  readonly catalog: TypeCatalog;
}

/** Finds the type of an object's kind; undefined for those that this client has no type for. */
export type FindBuiltInType = (object: {
  readonly apiVersion: string;
  readonly kind: string;
}) => Promise<BuiltInType | undefined>;

/** Groups that servers build in, but whose kinds the client of release 1.20 treats as it treats custom resources. */
const unregisteredGroups = ['apiextensions', 'apiregistration'];

/**
 * Looks kinds up among the built-in types, which are loaded with the first question: most commands never ask, and
 * must not wait for them.
 */
export function createTypeFinder(dialect: Dialect): FindBuiltInType {
  const unregistered = new Set(unregisteredGroups.map(dialect.group));
  let loading: Promise<TypeCatalog> | undefined;
  return async ({ apiVersion, kind }) => {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    if (unregistered.has(group)) return undefined;
    loading ??= import('../../apis/catalog.ts').then(({ createTypeCatalog }) => createTypeCatalog(dialect));
    const catalog = await loading;
    const type = catalog.kind({ group, version: apiVersion.slice(slash + 1), kind });
    return type === undefined ? undefined : { type, catalog };
  };
}
