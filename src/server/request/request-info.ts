/** What a request is about, read off its method, path and query. */
export interface RequestInfo {
  /** True for paths below `/api/VERSION` and `/apis/GROUP/VERSION` that name a resource. */
  readonly isResource: boolean;
  /** API verb (`get`, `list`, `watch`, `create`, ...) or the lower-case method for other paths. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments after the subresource; release 1.20 serves them for proxies only. */
  readonly rest: readonly string[];
  readonly path: string;
  /** Why the path says nothing, for one that means a resource and names none. */
  readonly fault?: string;
}

const verbsByMethod: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Verbs of old that stand before the resource, whatever the method. */
const pathVerbs = new Set(['proxy', 'watch']);
/** Subresources of a namespace itself; other words after its name are namespaced resources. */
const namespaceSubresources = new Set(['status', 'finalize']);

/** Reads a request's meaning; pure. `segments` are the path's decoded parts. */
export function parseRequestInfo(
  method: string,
  path: string,
  segments: readonly string[],
  query: URLSearchParams,
): RequestInfo {
  const isLegacy = segments[0] === 'api';
  const isGroup = segments[0] === 'apis';
  const prefixLength = isLegacy ? 2 : 3;
  if ((!isLegacy && !isGroup) || segments.length <= prefixLength) return nonResource(method, path);
  const group = isLegacy ? '' : (segments[1] ?? '');
  const version = segments[prefixLength - 1] ?? '';
  const first = segments[prefixLength] ?? '';
  const pathVerb = pathVerbs.has(first) ? first : undefined;
  const start = pathVerb === undefined ? prefixLength : prefixLength + 1;
  if (segments.length === start) {
    return {
      ...nonResource(method, path),
      fault: 'unable to determine kind and namespace from url',
    };
  }
  const isInNamespace =
    segments[start] === 'namespaces' &&
    segments.length > start + 2 &&
    !namespaceSubresources.has(segments[start + 2] ?? '');
  // By places rather than taken apart: every request passes here.
  const at = isInNamespace ? start + 2 : start;
  const resource = segments[at] ?? '';
  const name = segments[at + 1] ?? '';
  const ownNamespace = resource === 'namespaces' ? name : '';
  return {
    isResource: true,
    verb: pathVerb ?? verbOf(method, name, query),
    group,
    version,
    namespace: isInNamespace ? (segments[start + 1] ?? '') : ownNamespace,
    resource,
    subresource: pathVerb === 'proxy' ? '' : (segments[at + 2] ?? ''),
    name,
    rest: segments.length > at + 3 ? segments.slice(at + 3) : nothing,
    path,
  };
}

const nothing: readonly string[] = [];

const verbInPath = /^\/?(?:api|apis\/[^/]*)\/[^/]*\/(?:proxy|watch)\//;

/** True where the path itself says what is done (`/api/v1/watch/pods`), rather than method and query. */
export const hasPathVerb = ({ verb, path }: Pick<RequestInfo, 'verb' | 'path'>): boolean =>
  pathVerbs.has(verb) && verbInPath.test(path);

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = verbsByMethod[method] ?? '';
  if (verb === 'get' && name === '' && isTrue(query.get('watch'))) return 'watch';
  if (verb === 'get' && name === '') return 'list';
  if (verb === 'delete' && name === '') return 'deletecollection';
  return verb;
}

/** Query booleans as release 1.20 reads them: present is true, but for `0` and `false`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

function nonResource(method: string, path: string): RequestInfo {
  return {
    isResource: false,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    rest: [],
    path,
  };
}
