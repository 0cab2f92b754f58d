import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import { chunksOf, errorText } from '../../base/index.ts';
import { bearLateErrors } from '../../net/dial/index.ts';
import { type HttpTarget, toRedirectTarget } from './http-target.ts';

/** Bytes of a body that are read; the rest is discarded with the connection. */
const maxBodyBytes = 10 * 1024;
const maxHeaderBytes = 1024 * 1024;
const maxRequests = 10;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers by name; names of any case. */
export type HttpHeaders = Readonly<Record<string, string | string[]>>;

/** Status and beginning of the body of an HTTP answer. */
export interface HttpAnswer {
  readonly status: number;
  /** The first 10 KiB. */
  readonly body: Uint8Array;
}

/** Headers of the request, and which redirects are followed; an abort of `signal` rejects. */
export interface GetOptions {
  readonly headers: HttpHeaders;
  /** Whether a redirect to this host is followed; else it is the answer. */
  readonly followsTo: (host: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** How far a request has come. */
export type GetPhase = 'connecting' | 'waiting' | 'reading';

/** A request that got no answer, or not the whole of it. */
export class GetError extends Error {
  override readonly name = 'GetError';
  readonly phase: GetPhase;
  readonly target: HttpTarget;

  constructor(phase: GetPhase, target: HttpTarget, cause: unknown) {
    super(errorText(cause), { cause });
    this.phase = phase;
    this.target = target;
  }
}

/**
 * Sends a GET request on a connection of its own, and follows redirects. Certificates are not verified.
 *
 * @throws GetError when there is no answer, and after ten requests
 */
export async function getPage(first: HttpTarget, options: GetOptions): Promise<HttpAnswer> {
  let target = first;
  let { headers } = options;
  for (let count = 1; ; count++) {
    const { location, ...answer } = await getOnce(target, { ...options, headers });
    if (!redirectStatuses.has(answer.status)) return answer;
    if (location === undefined) {
      throw new GetError('waiting', target, new Error(`${answer.status} response missing Location header`));
    }
    const next = toRedirectTarget(target, location);
    if (next === undefined) throw new GetError('waiting', target, new Error('unsupported protocol scheme'));
    if (!options.followsTo(next.host)) return answer;
    if (count >= maxRequests)
      throw new GetError('waiting', next, new Error(`stopped after ${maxRequests} redirects`));
    // A `Host` header of the pod's author applies to the first server only.
    if (URL.canParse(location)) headers = withoutHost(headers);
    target = next;
  }
}

interface RedirectableAnswer extends HttpAnswer {
  readonly location: string | undefined;
}

function getOnce(target: HttpTarget, { headers, signal }: GetOptions): Promise<RedirectableAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RedirectableAnswer>();
  let phase: GetPhase = 'connecting';
  const fail = (cause: unknown): void => reject(new GetError(phase, target, cause));
  try {
    const send = target.isSecure ? requestSecure : requestPlain;
    const request = send(
      { ...requestOptions(target), headers: { ...headers }, ...(signal && { signal }) },
      (response) => {
        phase = 'reading';
        const { statusCode: status = 0, headers: answered } = response;
        readBody(response).then((body) => resolve({ status, location: answered.location, body }), fail);
      },
    );
    bearLateErrors(request);
    request.once('socket', (socket) => {
      socket.once('connect', () => {
        phase = 'waiting';
      });
    });
    request.on('error', fail);
    request.end();
  } catch (error) {
    fail(error); // An invalid header.
  }
  return promise;
}

function requestOptions({ host, port, path, isSecure }: HttpTarget) {
  return {
    host: host === '' ? 'localhost' : host,
    port,
    path,
    agent: false, // One connection for each request: the probe is to show whether a new one is accepted.
    insecureHTTPParser: true, // The answer is only judged: invalid headers of servers are tolerated.
    maxHeaderSize: maxHeaderBytes,
    ...(isSecure
      ? {
          rejectUnauthorized: false,
          servername: isIP(host) ? '' : host,
          // Nothing secret is sent, so servers with old versions of TLS may answer too.
          minVersion: 'TLSv1' as const,
          ciphers: 'DEFAULT:@SECLEVEL=0',
        }
      : {}),
  };
}

async function readBody(response: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of chunksOf(response)) {
    // No encoding is set, so parts are bytes.
    parts.push(part);
    length += part.length;
    if (length >= maxBodyBytes) break; // Leaving the loop closes the connection.
  }
  return Buffer.concat(parts).subarray(0, maxBodyBytes);
}

function withoutHost(headers: HttpHeaders): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'host'));
}
