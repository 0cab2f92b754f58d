import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readAnswer } from '../callouts/index.ts';
import { identifyUser } from './identity-headers.ts';
import type { RemoteApi } from './remote-apis.ts';
import type { RemoteClient } from './remote-client.ts';

const unzip = promisify(gunzip);

/** Most that is read of a document, compressed and not: several times that of a cluster with hundreds of custom resources. */
const maxDocumentBytes = 16 * 2 ** 20;
/** For all of a document: connection, head and body. */
const timeoutMs = 30_000;

/** Which document of a server is wanted. */
export interface DocumentRequest {
  /** Path and query. */
  readonly target: string;
  /** `ETag` of the document that is known; '' for none. */
  readonly etag: string;
  /** Who asks. */
  readonly user: string;
  readonly signal: AbortSignal;
}

/** A document and its `ETag`; '' where it has none. */
export interface FetchedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * Reads a document of the server of an API. Redirects are not followed.
 *
 * @throws Error for any answer that is neither a document, nor that there is none, nor that it is the known one; for one that
 * is too large or takes too long.
 */
export async function fetchDocument(
  client: RemoteClient,
  api: RemoteApi,
  { target, etag, user, signal: given }: DocumentRequest,
): Promise<FetchedDocument | 'unchanged' | 'none'> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), given]);
  const headers = {
    ...identifyUser({}, { name: user, groups: ['system:masters'], extra: {} }),
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': 'Go-http-client/1.1',
    ...(etag === '' ? {} : { 'if-none-match': etag }),
  };
  const answer = await client.answer(client.locate(api), { method: 'GET', target, headers }, { signal });
  const { statusCode: code = 0 } = answer;
  if (code !== 200) {
    answer.destroy();
    if (code === 304 && etag !== '') return 'unchanged';
    if (code === 404) return 'none';
    throw new Error(`GET ${target}: status ${code}`);
  }
  const body = await readAnswer(answer, maxDocumentBytes);
  const isZipped = answer.headers['content-encoding'] === 'gzip';
  const bytes = isZipped ? await unzip(body, { maxOutputLength: maxDocumentBytes }) : body;
  return { bytes, etag: answer.headers.etag ?? '' };
}
