import {
  badRequest,
  methodNotAllowed,
  methodNotSupported,
  notFound,
  notFoundPath,
  StatusError,
} from '../../machinery/errors/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';
import { hasPathVerb, type RequestInfo } from '../request/request-info.ts';
import { refuseWithoutTime } from '../request/write-timeout.ts';
import { handleDelete, handleDeleteCollection } from './delete.ts';
import { noteIfDeprecated, warningOf } from './deprecation.ts';
import type {
  Endpoint,
  EndpointHandler,
  Negotiated,
  NegotiatedEndpoint,
  SubresourceHandler,
} from './endpoint.ts';
import { handleGet, refuseExport } from './get.ts';
import { handleList } from './list.ts';
import { patchFormat } from './read-patch.ts';
import { handleWatch } from './watch.ts';
import { handleCreate, handlePatch, handleUpdate } from './write-requests.ts';

const collectionHandlers: Readonly<Record<string, EndpointHandler>> = {
  list: handleList,
  watch: handleWatch,
  create: handleCreate,
  deletecollection: handleDeleteCollection,
};

const objectHandlers: Readonly<Record<string, EndpointHandler>> = {
  get: handleGet,
  watch: handleWatch,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
};

/** Subresources that carry the whole object and need only rules of their own. */
const wholeObject: SubresourceHandler = (exchange, endpoint) => {
  const handler = objectHandlers[exchange.info.verb];
  if (handler === undefined) throw methodNotAllowed();
  return handler(exchange, endpoint);
};

/** Handlers of resources and subresources that are not plain objects, keyed `resource/subresource` or `resource`. */
export interface SpecialHandlers {
  /** Subresources by `group/resource/subresource`; `*` stands for scales that say where their numbers are. */
  readonly subresources: ReadonlyMap<string, SubresourceHandler>;
  /** Resources that store nothing, by `group/resource`. */
  readonly virtual: ReadonlyMap<string, (exchange: Exchange, endpoint: NegotiatedEndpoint) => Promise<void>>;
}

/**
 * Answers a request for a resource.
 *
 * @throws StatusError 404 for paths that do not exist, 405 for verbs that they do not have, 406 and 415, before
 * anything is changed, for formats that the server cannot write or read.
 */
export async function dispatch(
  exchange: Exchange,
  endpoint: Endpoint,
  special: SpecialHandlers,
): Promise<void> {
  const { info } = exchange;
  // What answers for unstructured kinds warns before it looks for a subresource or a verb.
  const { deprecation } = endpoint.info;
  if (deprecation !== undefined && isUnstructured(endpoint))
    warningOf(exchange, endpoint.context)?.(deprecation.warning);
  if (lacksPath(endpoint, info)) throw notFoundPath();
  if (info.subresource !== '') return dispatchSubresource(exchange, endpoint, special);
  const isCollection = info.name === '';
  checkPath(endpoint, info, isCollection);
  if (!fitsMethod(exchange, endpoint) || !allows(endpoint, info.verb, info.namespace !== ''))
    throw refusal(endpoint, info);
  if (endpoint.info.isTerminating === true && info.verb === 'create') throw refusal(endpoint, info);
  const { served } = endpoint;
  if (served === undefined) {
    const representation = representationOf(exchange, endpoint, endpoint.info);
    refuseWithoutTime(exchange);
    const virtual = special.virtual.get(`${info.group}/${info.resource}`);
    if (virtual === undefined) throw notFoundPath();
    noteIfDeprecated(exchange, endpoint, endpoint.info);
    refuseExport(exchange);
    return virtual(exchange, { ...endpoint, representation, patchFormat: undefined });
  }
  const handler = (isCollection ? collectionHandlers : objectHandlers)[info.verb];
  if (handler === undefined) throw refusal(endpoint, info);
  // Release 1.20's router looks at what is brought before what is wanted.
  const format = info.verb === 'patch' ? patchFormat(exchange, served) : undefined;
  const representation = representationOf(exchange, endpoint, endpoint.info);
  refuseWithoutTime(exchange);
  noteIfDeprecated(exchange, endpoint, endpoint.info);
  await handler(exchange, { ...endpoint, served, representation, patchFormat: format });
}

/** Paths that say what is done are there for watches of what can be watched. What answers for unstructured kinds knows no paths. */
function lacksPath(endpoint: Endpoint, info: RequestInfo): boolean {
  if (isUnstructured(endpoint) || !hasPathVerb(info)) return false;
  return info.verb === 'proxy' || info.subresource !== '' || !endpoint.info.verbs.includes('watch');
}

/** A path for objects in a namespace, which it names by no characters. */
const isEmptyNamespace = /\/namespaces\/\/[^/]+\/[^/]/;

/** @throws StatusError 404 or 400 when the shape of the path does not fit the resource. */
function checkPath(
  { info }: Endpoint,
  { namespace, name, path, verb }: RequestInfo,
  isCollection: boolean,
): void {
  const { namespaced, verbs, resource } = info;
  // A namespace is in itself, and in no other.
  if (resource === 'namespaces' && namespace === name) return;
  const hasNamespace = namespace !== '';
  if (hasNamespace && !namespaced) throw notFoundPath();
  // What cannot be listed is nowhere but in its namespace.
  if (isCollection && namespaced && !hasNamespace && !verbs.includes('list')) throw notFoundPath();
  if (isCollection) return;
  const hasObjects = verbs.some((verb) => verb === 'get' || verb === 'update' || verb === 'delete');
  if (hasObjects && (!namespaced || hasNamespace)) return;
  if (verb !== 'watch' && verbs.includes(verb) && isEmptyNamespace.test(path))
    throw badRequest('Namespace parameter required.');
  throw notFoundPath();
}

/** Resources know no HEAD, and paths that say what is done know no method but GET. */
const fitsMethod = ({ method, info }: Exchange, endpoint: Endpoint): boolean =>
  (method !== 'HEAD' && (info.verb !== 'watch' || method === 'GET')) || isUnstructured(endpoint);

const isUnstructured = ({ served }: Endpoint): boolean => served?.type.isUnstructured === true;

/** 405: before unstructured kinds stands no router, and what answers knows the verb. */
function refusal(endpoint: Endpoint, { group, resource, verb }: RequestInfo): Error {
  if (!isUnstructured(endpoint)) return methodNotAllowed();
  const isLate = endpoint.info.isTerminating === true && verb === 'create';
  const message = isLate ? `${verb} not allowed while custom resource definition is terminating` : undefined;
  return methodNotSupported({ group, resource }, verb, message);
}

/** All namespaces together can only be listed and watched. */
function allows(endpoint: Endpoint, verb: string, hasNamespace: boolean): boolean {
  const { namespaced, verbs } = endpoint.info;
  if (namespaced && !hasNamespace && verb !== 'list' && verb !== 'watch') return false;
  return verbs.includes(verb);
}

/** Methods that are passed on as they come. */
const proxiedMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** Subresources that become a connection to something else. */
const connects: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);

async function dispatchSubresource(
  exchange: Exchange,
  endpoint: Endpoint,
  special: SpecialHandlers,
): Promise<void> {
  const { info } = exchange;
  const subresource = endpoint.info.subresources.find((candidate) => candidate.name === info.subresource);
  const { served } = endpoint;
  if (subresource === undefined && served !== undefined && isUnstructured(endpoint))
    throw notFound(info, info.name);
  if (subresource === undefined || served === undefined) throw notFoundPath();
  const isProxy = info.subresource === 'proxy';
  if (info.rest.length > 0 && !isProxy) throw notFoundPath();
  if (endpoint.info.namespaced !== (info.namespace !== '') && info.resource !== 'namespaces')
    throw notFoundPath();
  const isHead = exchange.method === 'HEAD' && !isUnstructured(endpoint);
  const isServed = isProxy
    ? proxiedMethods.has(exchange.method)
    : subresource.verbs.includes(info.verb) && !isHead;
  if (!isServed) throw refusal(endpoint, info);
  const format = info.verb === 'patch' && !isProxy ? patchFormat(exchange, served) : undefined;
  const representation = isLongRunning(info)
    ? endpoint.context.negotiator.choose(undefined)
    : representationOf(exchange, endpoint, subresource);
  if (!isLongRunning(info)) refuseWithoutTime(exchange);
  if (connects.has(info.subresource) && exchange.query.has('dryRun'))
    throw badRequest('dryRun is not supported');
  const path =
    subresource.scale === undefined ? `${info.group}/${info.resource}/${info.subresource}` : '*/scale';
  const handler = special.subresources.get(path) ?? wholeObject;
  noteIfDeprecated(exchange, endpoint, subresource);
  if (!isLongRunning(info)) refuseExport(exchange);
  return handler(exchange, { ...endpoint, served, representation, patchFormat: format }, subresource);
}

/**
 * How the client wants to have the answer. Objects that can be read have columns, unlike reviews; what subresources
 * answer with has none, even where it is the whole object, except for the status of custom resources.
 *
 * @throws StatusError 406
 */
function representationOf(
  exchange: Exchange,
  endpoint: Endpoint,
  target: Parameters<typeof noteIfDeprecated>[2],
): Negotiated['representation'] {
  const { request, info } = exchange;
  const { context, hasProtobuf } = endpoint;
  const hasColumns = info.subresource === '' || (info.subresource === 'status' && isUnstructured(endpoint));
  const hasTable = hasColumns && endpoint.info.verbs.includes('get');
  try {
    const hasRouter = !isUnstructured(endpoint);
    return context.negotiator.choose(request.headers.accept, { hasProtobuf, hasTable, hasRouter });
  } catch (error) {
    // Release 1.20's router refuses unknown types, with empty details; what they shall hold is the handler's matter.
    if (error instanceof StatusError && error.status.details === undefined)
      noteIfDeprecated(exchange, endpoint, target);
    throw error;
  }
}
