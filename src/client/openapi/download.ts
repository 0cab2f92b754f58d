import { hostOf, type RestClient, TransportError } from '../rest/index.ts';

/** A document with its entity tag. */
export interface Downloaded<T> {
  readonly etag: string;
  readonly value: T;
}

/** Larger documents are refused: that of a full server has 2 MB. */
const maxDocumentBytes = 256 * 1024 * 1024;

/**
 * Asks for a document; undefined when it is still the one of this tag.
 *
 * @param read makes something of the parsed JSON, or throws.
 * @throws StatusError or TransportError when it cannot be had, or is none.
 */
export async function download<T>(
  client: RestClient,
  {
    path,
    etag,
    read,
  }: { readonly path: string; readonly etag?: string | undefined; read(document: unknown): T },
): Promise<Downloaded<T> | undefined> {
  const { status, headers, body } = await client.send({
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'gzip', ...(etag ? { 'if-none-match': etag } : {}) },
  });
  if (status === 304) return undefined;
  try {
    const text = headers['content-encoding'] === 'gzip' ? await unzip(body) : body;
    return { etag: String(headers.etag ?? ''), value: read(JSON.parse(text.toString('utf8'))) };
  } catch (cause) {
    throw new TransportError('protocol', 'the answer is no OpenAPI document', {
      host: hostOf(client.server),
      cause,
    });
  }
}

async function unzip(body: Buffer): Promise<Buffer> {
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(body, { maxOutputLength: maxDocumentBytes });
}
