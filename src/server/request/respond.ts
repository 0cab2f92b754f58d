import type { OutgoingHttpHeaders } from 'node:http';
import { type Status, StatusError } from '../../machinery/errors/index.ts';
import { type Encodings, encodeValue } from './encode-value.ts';
import type { Exchange } from './exchange.ts';
import type { Representation } from './negotiate.ts';
import { prettyJson } from './pretty-json.ts';

/** Writes a whole answer. `body` parts are sent one after the other without being copied together when few. */
export function respond(
  exchange: Exchange,
  answer: {
    readonly code: number;
    readonly contentType: string;
    readonly body: Buffer;
    readonly headers?: Record<string, string>;
  },
): void {
  const { response } = exchange;
  if (response.headersSent) return;
  const { code, contentType, body } = answer;
  exchange.audit?.noteResponseBody(body);
  exchange.answerBytes = body.length;
  const headers: OutgoingHttpHeaders = {
    'audit-id': exchange.auditId,
    'cache-control': 'no-cache, private',
    'content-type': contentType,
    'content-length': body.length,
  };
  if (exchange.warnings.length > 0) Object.assign(headers, warningHeader(exchange));
  if (answer.headers !== undefined) Object.assign(headers, answer.headers);
  response.writeHead(code, headers);
  if (exchange.method === 'HEAD') response.end();
  else response.end(body);
}

/** Writes canonical JSON bytes as they are. */
function respondJson(exchange: Exchange, code: number, body: Buffer): void {
  respond(exchange, { code, contentType: 'application/json', body });
}

/** Writes a small value as JSON with a line end, whatever the client would like to have. */
export function respondValue(exchange: Exchange, code: number, value: unknown): void {
  respondJson(exchange, code, Buffer.from(`${JSON.stringify(value)}\n`));
}

/** The same in lines for people, as release 1.20 writes what has only that form. */
export function respondPretty(exchange: Exchange, code: number, value: unknown): void {
  respondJson(exchange, code, Buffer.from(prettyJson(value)));
}

/** Writes UTF-8 text, which browsers must not take for anything else (`nosniff`). */
export function respondText(exchange: Exchange, code: number, text: string): void {
  respond(exchange, {
    code,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(text),
    headers: { 'x-content-type-options': 'nosniff' },
  });
}

/**
 * Writes a Status in the encoding that the client asked for, JSON where that is none; its `retryAfterSeconds` becomes
 * the `Retry-After` header too. `code` is the answer's when it is not the status's own, `given` what was chosen already
 * for a request that succeeded: a Status is written in no other form, whichever was asked for.
 */
export function respondStatus(
  exchange: Exchange,
  status: Status,
  encodings: Encodings,
  { code = status.code ?? 200, given }: { readonly code?: number; readonly given?: Representation } = {},
): void {
  exchange.audit?.noteStatus(status);
  const retryAfter = status.details?.retryAfterSeconds;
  const representation = given ?? statusRepresentation(exchange, encodings);
  respond(exchange, {
    code,
    contentType: representation?.contentType ?? 'application/json',
    body:
      representation === undefined
        ? Buffer.from(prettyJson(status))
        : encodeValue(exchange, representation, { value: status, protobuf: encodings.protobuf }),
    ...(retryAfter === undefined || retryAfter === 0
      ? {}
      : { headers: { 'retry-after': String(retryAfter) } }),
  });
}

function statusRepresentation({ request }: Exchange, { negotiator }: Encodings): Representation | undefined {
  try {
    return negotiator.choose(request.headers.accept, { hasForms: false });
  } catch (error) {
    // The failure itself is more useful than a 406 about its format.
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Writes the Status of an error, as `respondStatus` does. */
export function respondError(exchange: Exchange, error: StatusError, encodings: Encodings): void {
  respondStatus(exchange, error.status, encodings);
}

/** The `Warning` header of an answer, if there is something to warn of. */
export function warningHeader(exchange: Exchange): OutgoingHttpHeaders {
  if (exchange.warnings.length === 0) return {};
  return { Warning: exchange.warnings.map((text) => `299 - "${text.replace(/["\\]/g, '\\$&')}"`) };
}
