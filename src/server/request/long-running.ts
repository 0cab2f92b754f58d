import type { RequestInfo } from './request-info.ts';

/** Subresources that stream as long as the client wants. */
const streamingSubresources = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);
/** Work on the whole store takes as long as it takes, and so do profiles where there are any. */
const longPrefixes = ['/-/', '/debug/pprof/'];

/** True for requests that no deadline ends and that do not count as requests in flight. */
export function isLongRunning({ verb, subresource, isResource, path }: RequestInfo): boolean {
  if (!isResource) return longPrefixes.some((prefix) => path.startsWith(prefix));
  return verb === 'watch' || verb === 'proxy' || streamingSubresources.has(subresource);
}

const readOnlyVerbs = new Set(['get', 'list', 'watch']);

/** As what a request counts among those in flight. */
export const requestKindOf = ({ verb }: Pick<RequestInfo, 'verb'>): 'readOnly' | 'mutating' =>
  readOnlyVerbs.has(verb) ? 'readOnly' : 'mutating';
