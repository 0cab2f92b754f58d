import {
  createOperation,
  deleteCollectionOperation,
  deleteOperation,
  listOperation,
  patchOperation,
  readObjectOperation,
  replaceOperation,
  watchOperation,
} from './operations.ts';
import { pathParameter } from './parameters.ts';
import { createPathItem } from './path-item.ts';
import { type ResourceContext, subresourcePaths } from './subresource-paths.ts';
import type { NamedPath } from './swagger.ts';

/** All paths of a resource and its subresources, watches included. */
export function* resourcePaths(source: ResourceContext): Generator<NamedPath> {
  const { resource, context, root } = source;
  const { kind, namespaced } = resource;
  const has = (verb: string) => resource.verbs.includes(verb);
  const scope = namespaced ? `${root}/namespaces/{namespace}` : root;
  const owner = namespaced ? [pathParameter('namespace', kind)] : [];
  const title = `${namespaced ? 'Namespaced' : ''}${kind}`;
  const list = { kind, listKind: resource.listKind, canWatch: has('watch') };
  yield [
    `${scope}/${resource.resource}`,
    createPathItem(owner, {
      ...(has('list') && {
        get: listOperation(context, { suffix: title, ...list }),
      }),
      ...(has('create') && { post: createOperation(context, { suffix: title, kind }) }),
      ...(has('deletecollection') && {
        delete: deleteCollectionOperation(context, { suffix: title, kind }),
      }),
    }),
  ];
  const named = [...owner, pathParameter('name', kind)];
  const one = { suffix: title, kind };
  yield [
    `${scope}/${resource.resource}/{name}`,
    createPathItem(named, {
      ...(has('get') && { get: readObjectOperation(context, one) }),
      ...(has('update') && { put: replaceOperation(context, one) }),
      ...(has('delete') && { delete: deleteOperation(context, one) }),
      ...(has('patch') && { patch: patchOperation(context, one) }),
    }),
  ];
  yield* subresourcePaths(source, { scope, parameters: named, title });
  if (namespaced && has('list')) {
    const everywhere = { suffix: `${kind}ForAllNamespaces` };
    yield [
      `${root}/${resource.resource}`,
      createPathItem([], { get: listOperation(context, { ...everywhere, ...list }) }),
    ];
  }
  if (has('watch') && !context.isCustom) yield* watchPaths(source, title);
}

function* watchPaths({ resource, context, root }: ResourceContext, title: string): Generator<NamedPath> {
  const { kind, namespaced } = resource;
  const scope = namespaced ? `${root}/watch/namespaces/{namespace}` : `${root}/watch`;
  const owner = namespaced ? [pathParameter('namespace', kind)] : [];
  yield [
    `${scope}/${resource.resource}`,
    createPathItem(owner, {
      get: watchOperation(context, { suffix: `${title}List`, kind, isList: true }),
    }),
  ];
  yield [
    `${scope}/${resource.resource}/{name}`,
    createPathItem([...owner, pathParameter('name', kind)], {
      get: watchOperation(context, { suffix: title, kind, isList: false }),
    }),
  ];
  if (!namespaced) return;
  yield [
    `${root}/watch/${resource.resource}`,
    createPathItem([], {
      get: watchOperation(context, {
        suffix: `${kind}ListForAllNamespaces`,
        kind,
        isList: true,
      }),
    }),
  ];
}
