import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { chunksOf } from '../../base/index.ts';

/** Headers of the request and bounds of the answer (`--manifest-url`, `--manifest-url-header`). */
export interface FetchManifestOptions {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** For the whole exchange, redirects included. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** An answer, whatever its status. */
export interface FetchedManifest {
  readonly status: number;
  readonly statusText: string;
  readonly body: Buffer;
}

const maxRedirects = 10;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Not for the eyes of another host. */
const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'www-authenticate',
]);

/**
 * Asks for a document over HTTP or HTTPS and follows redirects.
 *
 * @throws Error when there is no answer, too many redirects, or a body that is too large.
 */
export async function fetchManifest(url: string, options: FetchManifestOptions): Promise<FetchedManifest> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  const first = new URL(url);
  let at = first;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const headers = headersFor(options.headers, at.host === first.host);
    const answer = await get(at, headers, signal);
    const status = answer.statusCode ?? 0;
    const { location } = answer.headers;
    if (!redirects.has(status) || location === undefined) {
      const body = await readAtMost(answer, options.maxBytes);
      return { status, statusText: answer.statusMessage ?? '', body };
    }
    answer.destroy();
    at = new URL(location, at);
  }
  throw new Error(`stopped after ${maxRedirects} redirects`);
}

/** Asks once; the answer's body is still to come. Loads the HTTP modules when they are first needed. */
async function get(
  url: URL,
  headers: Record<string, string[]>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`unsupported protocol scheme ${JSON.stringify(url.protocol.slice(0, -1))}`);
  }
  const request = url.protocol === 'http:' ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    // A connection of its own: the next question may be asked of another server behind the same name.
    const sent = request(url, { headers, signal, agent: false }, resolve);
    sent.on('error', reject);
    sent.end();
  });
}

function headersFor(given: FetchManifestOptions['headers'], isSameHost: boolean): Record<string, string[]> {
  const sent = Object.entries(given).filter(([name]) => isSameHost || !secretHeaders.has(name.toLowerCase()));
  return Object.fromEntries(sent.map(([name, values]) => [name, [...values]]));
}

async function readAtMost(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  // A stream without an encoding yields buffers.
  for await (const chunk of chunksOf(answer)) {
    length += chunk.length;
    if (length > maxBytes) throw new Error('the read limit is reached');
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
