import type { Exchange, Handler } from '../request/exchange.ts';
import { parseAccept } from '../request/media-type.ts';
import { respond } from '../request/respond.ts';
import type { DocumentEncoding, DocumentStore, EncodedDocument } from './document-store.ts';

/** Where the document is. */
export const openApiPath = '/openapi/v2';

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

/**
 * Answers requests for the document: compressed when the client accepts that, and 304 when it has the document already.
 */
export function createOpenApiHandler(store: DocumentStore): Handler {
  return async (exchange) => {
    const encoding = chooseEncoding(exchange.request.headers.accept);
    if (encoding === undefined) {
      respond(exchange, { code: 406, contentType: 'text/plain; charset=utf-8', body: Buffer.alloc(0) });
      return;
    }
    const document = await store.get(encoding);
    const headers = headersOf(document);
    if (isKnown(exchange, document.etag)) {
      const { response } = exchange;
      response.writeHead(304, {
        'audit-id': exchange.auditId,
        'cache-control': 'no-cache, private',
        ...headers,
      });
      response.end();
      return;
    }
    const isZipped = acceptsGzip(exchange.request.headers['accept-encoding']);
    respond(exchange, {
      code: 200,
      contentType: contentTypes[encoding],
      body: isZipped ? document.zipped : await store.unzip(document),
      headers: isZipped ? { ...headers, 'content-encoding': 'gzip' } : headers,
    });
  };
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

/** RFC 7232, section 3.2: weak and strong tags compare alike here. */
function isKnown({ method, request }: Exchange, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
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
