/** Labels that requests have in metrics. None has more than a few values, whatever clients send. */
import type { Exchange } from './request/exchange.ts';
import type { RequestInfo } from './request/request-info.ts';

/** Media types of answers that metrics name, in the orch spelling. Source: release 1.20, `cleanContentType`. */
export const knownTypes: readonly string[] = [
  'application/apply-patch+yaml',
  'application/json',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/vnd.orch.protobuf',
  'application/vnd.orch.protobuf;stream=watch',
  'application/yaml',
  'text/plain',
  'text/plain;charset=utf-8',
];

const knownMethods = new Set(['CONNECT', 'DELETE', 'PATCH', 'POST', 'PUT']);

/** A request by its method, but for the kinds of reading and patching. Source: release 1.20, `canonicalVerb` and `cleanVerb`. */
export function verbOf({ info: { verb }, method, request }: Exchange, scope: string): string {
  if (method === 'GET' || method === 'HEAD') {
    if (scope === '' || scope === 'resource') return 'GET';
    return verb === 'watch' ? 'WATCH' : 'LIST';
  }
  if (method === 'PATCH' && request.headers['content-type'] === 'application/apply-patch+yaml')
    return 'APPLY';
  return knownMethods.has(method) ? method : 'other';
}

/** Which kinds of trying out a request asks for; `invalid` for what is none. */
export function dryRunOf({ query }: Exchange): string {
  if (!query.has('dryRun')) return '';
  return query.getAll('dryRun').every((value) => value === 'All') ? 'All' : 'invalid';
}

/** Subresources that connect a client with an agent, a pod or a service. */
const connections = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Whether a request has to do with an agent, a pod or a service, and may last. */
export const isConnection = ({ subresource }: RequestInfo): boolean => connections.has(subresource);

/** What a request is about: one object, also a new one, or all of a namespace or of the cluster. */
export function scopeOf({ info, method }: Exchange): string {
  if (info.name !== '' || method === 'POST') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}

/** The same for metrics in which everything in a namespace is of its scope. Source: release 1.20, `CleanScope`. */
export function widestScopeOf({ namespace, name }: RequestInfo): string {
  if (namespace !== '') return 'namespace';
  return name === '' ? 'cluster' : 'resource';
}
