import type { Dialect } from '../../machinery/dialect.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
import type { ServedResource } from '../resources/index.ts';
import type { CustomResource } from './custom-resource.ts';
import { customDefinitionName, definitionNameOf } from './definition-names.ts';
import { operationGroup, operationTag } from './operation-names.ts';
import type { Definitions, OperationContext } from './operations.ts';
import { resourcePaths } from './resource-paths.ts';
import { type NamedPath, refTo, type Schema } from './swagger.ts';

/** What paths of any resource are made with. */
interface PathOptions {
  readonly dialect: Dialect;
  readonly definitions: Definitions;
}

/** References that remember which types they are to; their names are spelled later, with all others. */
export function collectDefinitions(types: Set<string>, dialect: Dialect): Definitions {
  const ofType = (typeName: string): Schema => {
    types.add(typeName);
    return refTo(definitionNameOf(typeName));
  };
  return { ofType, ofKind: (gvk) => ofType(dialect.unspell(keyOf(gvk))) };
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string =>
  `${formatGroupVersion(group, version)}.${kind}`;

/** Paths of a built-in resource that have operations. `returnsDeleted`: deletions of it answer with the object. */
export function pathsOfResource(
  resource: ServedResource,
  { dialect, definitions, returnsDeleted }: PathOptions & { readonly returnsDeleted: boolean },
): readonly NamedPath[] {
  // Namespaces are sent as well, but release 1.20 tells of a Status.
  const isToldAsStatus = resource.group === '' && resource.kind === 'Namespace';
  return makePaths(resource, dialect, {
    definitions,
    isCustom: false,
    canExport: isExported(dialect, resource),
    returnsDeleted: !isToldAsStatus && returnsDeleted,
  });
}

/** Whether reads take the options of exports: all of stored kinds do, but for those that guard access. */
const isExported = (dialect: Dialect, { group, storage }: ServedResource): boolean =>
  storage !== undefined && group !== dialect.group('rbac.authorization');

/** Paths of a custom resource that have operations. */
export function pathsOfCustom(
  { resource }: CustomResource,
  { dialect, definitions: { ofType, ofKind } }: PathOptions,
): readonly NamedPath[] {
  const { group, version, kind, listKind } = resource;
  /** Names of the definitions of the kind and of its list, by kind. */
  const names = new Map(
    [kind, listKind].map((name) => [
      keyOf({ group, version, kind: name }),
      customDefinitionName(group, version, name),
    ]),
  );
  const definitions: Definitions = {
    ofType,
    ofKind(gvk) {
      const name = names.get(keyOf(gvk));
      return name === undefined ? ofKind(gvk) : refTo(name);
    },
  };
  return makePaths(resource, dialect, {
    definitions,
    isCustom: true,
    canExport: false,
    returnsDeleted: false,
  });
}

function makePaths(
  resource: ServedResource,
  dialect: Dialect,
  own: Pick<OperationContext, 'definitions' | 'isCustom' | 'canExport' | 'returnsDeleted'>,
): readonly NamedPath[] {
  const { group, version, kind } = resource;
  const context: OperationContext = {
    ...own,
    dialect,
    gvk: { group, version, kind },
    groupName: operationGroup(dialect, group, version),
    tag: operationTag(dialect, group, version),
  };
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return [...resourcePaths({ resource, context, root })].filter(hasOperations);
}

const hasOperations = ([, item]: NamedPath): boolean =>
  Object.keys(item).some((member) => member !== 'parameters');
