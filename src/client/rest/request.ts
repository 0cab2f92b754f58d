/** Values of one query parameter; lists repeat it, empty and undefined ones are left out. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** One request. */
export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Absolute path below the server's URL, already escaped (`resourcePath`). A query may follow it. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Bytes or text as they are; any other value as JSON. */
  readonly body?: unknown;
  /** Default `application/json` when there is a body. */
  readonly contentType?: string | undefined;
  /** Default `application/json`. */
  readonly accept?: string | undefined;
  /** Further headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until the whole answer must be there; 0 or undefined: the client's own. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** False: an answer that asks to try again later is final. */
  readonly isRetried?: boolean | undefined;
}

/** A complete answer with a status below 400. */
export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** An answer whose body is still arriving. */
export interface RestStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Chunks as they come. Ends with the answer; throws TransportError when the connection breaks. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Ends the connection. */
  close(): void;
}

/** Writes a query: names sorted as clients of the release do, so that logs show the same URLs; values escaped. Empty text when nothing is left. */
export function formatQuery(query: Readonly<Record<string, QueryValue>> | undefined): string {
  if (query === undefined) return '';
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    if (Array.isArray(value)) for (const item of value) search.append(name, item);
    else search.append(name, String(value));
  }
  search.sort();
  return search.toString();
}

/** What a resource's path is made of. */
export interface ResourcePath {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty or undefined: cluster-scoped, or all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path of a collection or an object, names escaped so that they cannot leave their segment. */
export function resourcePath(parts: ResourcePath): string {
  const root = parts.group === '' ? `/api/${parts.version}` : `/apis/${parts.group}/${parts.version}`;
  const segments = [
    ...(parts.namespace ? ['namespaces', parts.namespace] : []),
    parts.resource,
    ...(parts.name ? [parts.name] : []),
    ...(parts.subresource ? parts.subresource.split('/') : []),
  ];
  return `${root}/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`;
}
