import type { ServedResource, ServedSubresource } from '../resources/index.ts';
import { capitalize } from './operation-names.ts';
import {
  buildOperation,
  createOperation,
  type OperationContext,
  type OperationTitle,
  patchOperation,
  producedTypes,
  readOperation,
  replaceOperation,
} from './operations.ts';
import { parametersOfOptions, pathParameter } from './parameters.ts';
import { createPathItem } from './path-item.ts';
import type { Method, NamedPath, Operation, Parameter, PathItem } from './swagger.ts';

/** A resource, what its operations share, and where it lives. */
export interface ResourceContext {
  readonly resource: ServedResource;
  readonly context: OperationContext;
  /** `/api/v1`, `/apis/apps/v1`. */
  readonly root: string;
}

/** How the paths of a resource begin. */
export interface ResourceScope {
  /** Path of the namespace, or the root. */
  readonly scope: string;
  /** Parameters that name one object. */
  readonly parameters: readonly Parameter[];
  /** Middle of operation names: `NamespacedPod`. */
  readonly title: string;
}

/** Paths of all subresources of a resource. */
export function* subresourcePaths(source: ResourceContext, scope: ResourceScope): Generator<NamedPath> {
  for (const sub of source.resource.subresources) {
    const path = `${scope.scope}/${source.resource.resource}/{name}/${sub.name}`;
    if (/(?:Exec|Attach|PortForward|Proxy)Options$/.test(sub.kind))
      yield* connectPaths(source, scope, sub, path);
    else yield [path, plainItem(source, scope, sub)];
  }
}

function plainItem(
  { resource, context }: ResourceContext,
  scope: ResourceScope,
  sub: ServedSubresource,
): PathItem {
  const { group, version, kind } = sub;
  const own = { ...context, gvk: { group, version, kind } };
  const title = {
    suffix: scope.title + capitalize(sub.name),
    kind: resource.kind,
    subresource: sub.name,
  };
  if (sub.name === 'log') return createPathItem(scope.parameters, { get: logOperation(own, title) });
  const has = (verb: string) => sub.verbs.includes(verb);
  return createPathItem(scope.parameters, {
    ...(has('get') && { get: readOperation(own, title) }),
    ...(has('create') && { post: createOperation(own, title) }),
    ...(has('update') && { put: replaceOperation(own, title) }),
    ...(has('patch') && { patch: patchOperation(own, title) }),
  });
}

const textAnswer = { '200': { description: 'OK', schema: { type: 'string' } } } as const;

function logOperation(context: OperationContext, { suffix, kind }: OperationTitle): Operation {
  return buildOperation(context, {
    name: `read${context.groupName}${suffix}`,
    description: `read log of the specified ${kind}`,
    action: 'get',
    produces: ['text/plain', ...producedTypes(context)],
    parameters: parametersOfOptions('PodLogOptions'),
    answers: textAnswer,
  });
}

/** Methods of a proxy, by the verb that allows them. */
const proxyMethods: Readonly<Record<string, readonly Method[]>> = {
  create: ['post'],
  delete: ['delete'],
  get: ['get', 'head', 'options'],
  patch: ['patch'],
  update: ['put'],
};

function* connectPaths(
  { resource, context }: ResourceContext,
  scope: ResourceScope,
  sub: ServedSubresource,
  path: string,
): Generator<NamedPath> {
  const { group, version, kind } = sub;
  const own = { ...context, gvk: { group, version, kind } };
  const isProxy = sub.name === 'proxy';
  const allowed = sub.verbs.flatMap((verb) => proxyMethods[verb] ?? []);
  const used = isProxy ? allowed : allowed.filter((method) => method === 'get' || method === 'post');
  const operationsFor = (ending: string): Partial<Record<Method, Operation>> =>
    Object.fromEntries(
      used.map((method) => [
        method,
        buildOperation(own, {
          name: `connect${context.groupName}${capitalize(method)}${scope.title}${capitalize(sub.name)}${ending}`,
          description: `connect ${method.toUpperCase()} requests to ${sub.name} of ${resource.kind}`,
          action: 'connect',
          produces: ['*/*'],
          parameters: parametersOfOptions(kind),
          answers: textAnswer,
        }),
      ]),
    );
  const plain = { hasPretty: false };
  yield [path, createPathItem(scope.parameters, operationsFor(''), plain)];
  if (!isProxy) return;
  const below = [...scope.parameters, pathParameter('path', resource.kind)];
  yield [`${path}/{path}`, createPathItem(below, operationsFor('WithPath'), plain)];
}
