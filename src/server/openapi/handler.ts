import type { Exchange, Handler } from '../request/exchange.ts';
import { parseAccept } from '../request/media-type.ts';
import { isKnownTag, respondNotModified } from '../request/not-modified.ts';
import { respond, respondValue } from '../request/respond.ts';
import {
  type DocumentEncoding,
  type DocumentStore,
  type EncodedDocument,
  unzipDocument,
} from './document-store.ts';
import type { GroupVersionStore } from './group-versions.ts';

/** Media types that clients may ask for, and what the answer is called (release 1.20 names neither of them). */
const mediaTypes: Readonly<Record<string, DocumentEncoding>> = {
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf': 'protobuf',
};
const contentTypes: Readonly<Record<DocumentEncoding, string>> = {
  json: 'text/plain; charset=utf-8',
  protobuf: 'application/octet-stream',
};

/** Answers requests for the document. */
export function createOpenApiHandler(store: DocumentStore): Handler {
  return async (exchange) => {
    const encoding = chooseEncoding(exchange.request.headers.accept);
    if (encoding === undefined) return refuse(exchange);
    await sendDocument(exchange, await store.get(encoding), contentTypes[encoding]);
  };
}

/** What requests for documents of versions are answered with. */
export interface OpenApiV3Options {
  /** Path of the index; the documents are below it. */
  readonly root: string;
  readonly nowMs: () => number;
  /** Answers what is not there. */
  readonly unknown: Handler;
}

const yearInSeconds = 31_536_000;

/**
 * Answers requests for the index and the documents of versions. The index names documents with their hashes; under these they
 * never change. Release 1.20 has none of them, so that all methods but GET are answered as there: by `unknown`.
 */
export function createOpenApiV3Handler(
  store: GroupVersionStore,
  { root, nowMs, unknown }: OpenApiV3Options,
): Handler {
  return async (exchange) => {
    if (exchange.method !== 'GET') return unknown(exchange);
    const path = exchange.path.slice(root.length + 1).replace(/\/$/, '');
    const hash = path === '' ? '' : await store.hashOf(path);
    if (hash === undefined) return unknown(exchange);
    if (chooseEncoding(exchange.request.headers.accept) !== 'json') return refuse(exchange);
    if (path === '') return sendIndex(exchange, store, root);
    const asked = exchange.query.get('hash');
    if (asked !== null && asked !== hash) return redirect(exchange, `${root}/${path}?hash=${hash}`);
    const document = await store.get(path);
    if (document === undefined) return unknown(exchange);
    const expires = new Date(nowMs() + yearInSeconds * 1000).toUTCString();
    const forever = { 'cache-control': `public, max-age=${yearInSeconds}, immutable`, expires };
    await sendDocument(exchange, document, 'application/json', asked === null ? {} : forever);
  };
}

async function sendIndex(exchange: Exchange, store: GroupVersionStore, root: string): Promise<void> {
  const paths: Record<string, { readonly serverRelativeURL: string }> = {};
  for (const path of store.paths()) {
    const hash = await store.hashOf(path);
    if (hash !== undefined) paths[path] = { serverRelativeURL: `${root}/${path}?hash=${hash}` };
  }
  respondValue(exchange, 200, { paths });
}

function redirect(exchange: Exchange, location: string): void {
  respond(exchange, {
    code: 301,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.alloc(0),
    headers: { location },
  });
}

function refuse(exchange: Exchange): void {
  respond(exchange, { code: 406, contentType: 'text/plain; charset=utf-8', body: Buffer.alloc(0) });
}

/** Sends a document: compressed when the client accepts that, and 304 when it has the document already. */
async function sendDocument(
  exchange: Exchange,
  document: EncodedDocument,
  contentType: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const headers = { ...headersOf(document), ...more };
  if (isKnownTag(exchange, document.etag)) return respondNotModified(exchange, headers);
  const isZipped = acceptsGzip(exchange.request.headers['accept-encoding']);
  respond(exchange, {
    code: 200,
    contentType,
    body: isZipped ? document.zipped : await unzipDocument(document),
    headers: isZipped ? { ...headers, 'content-encoding': 'gzip' } : headers,
  });
}

function headersOf({ etag, builtAtMs }: EncodedDocument): Record<string, string> {
  return { etag, 'last-modified': new Date(builtAtMs).toUTCString(), vary: 'Accept-Encoding, Accept' };
}

function chooseEncoding(accept: string | undefined): DocumentEncoding | undefined {
  if (accept === undefined || accept === '') return 'json';
  for (const { type } of parseAccept(accept)) {
    if (Object.hasOwn(mediaTypes, type)) return mediaTypes[type];
  }
  return undefined;
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((item) => {
      const [name = '', ...parameters] = item.split(';');
      const isRefused = parameters.some((text) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(text));
      return !isRefused && (name.trim() === 'gzip' || name.trim() === '*');
    });
}
