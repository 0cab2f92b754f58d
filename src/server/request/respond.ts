import type { OutgoingHttpHeaders } from 'node:http';
import { encodeHeader } from '../../base/index.ts';
import { quoteGo, type Status, StatusError } from '../../machinery/errors/index.ts';
import { type Encodings, encodeValue } from './encode-value.ts';
import type { Exchange } from './exchange.ts';
import type { Representation } from './negotiate.ts';
import { prettyJson } from './pretty-json.ts';

/** An answer whose body is there. */
interface WholeAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer;
  readonly headers?: Record<string, string>;
}

/** Writes a whole answer, where it must be recorded first once it is. */
export function respond(exchange: Exchange, answer: WholeAnswer): void {
  if (exchange.response.headersSent) return;
  exchange.audit?.noteResponseBody(answer.body);
  const recorded = exchange.audit?.complete(answer.code);
  if (recorded === undefined) send(exchange, answer);
  else exchange.held = recorded.then((isRecorded) => (isRecorded ? send : sendUnrecorded)(exchange, answer));
}

/**
 * Waits until an answer that is sent in pieces is recorded, where it must be. False: it must not be sent, and another
 * one was.
 */
export async function mayAnswer(exchange: Exchange, code: number): Promise<boolean> {
  const isRecorded = (await exchange.audit?.complete(code)) ?? true;
  if (!isRecorded) sendUnrecorded(exchange);
  return isRecorded && !exchange.response.headersSent;
}

function send(exchange: Exchange, { code, contentType, body, headers: more }: WholeAnswer): void {
  const { response } = exchange;
  // An error may have been faster than the audit log.
  if (response.headersSent) return;
  exchange.answerBytes = body.length;
  exchange.answerType = contentType;
  const headers: OutgoingHttpHeaders = {
    'audit-id': exchange.auditId,
    'cache-control': 'no-cache, private',
    'content-type': contentType,
    'content-length': body.length,
  };
  if (exchange.warnings.length > 0) Object.assign(headers, warningHeader(exchange));
  if (more !== undefined) Object.assign(headers, more);
  if (exchange.flowHeaders !== undefined) Object.assign(headers, exchange.flowHeaders);
  response.writeHead(codeOnWire(exchange, code), headers);
  if (exchange.method === 'HEAD') response.end();
  else response.end(body);
}

/** HTTP/2 cannot send codes from 600 on, which webhooks may refuse with: the body tells clients the code all the same. */
const codeOnWire = ({ request }: Exchange, code: number): number =>
  code >= 600 && request.httpVersionMajor === 2 ? 500 : code;

/** Answers a request that could not be recorded, as release 1.20 does. */
export function sendUnrecorded(exchange: Exchange): void {
  const target = JSON.stringify(exchange.request.url ?? '');
  send(exchange, textAnswer(500, `Internal Server Error: ${target}: failed to store audit event\n`));
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
  respond(exchange, textAnswer(code, text));
}

/** Writes text of which the release says nothing, so that browsers may look at it. */
export function respondPlain(exchange: Exchange, text: string): void {
  respond(exchange, { ...textAnswer(200, text), headers: {} });
}

function textAnswer(code: number, text: string): WholeAnswer {
  return {
    code,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(text),
    headers: { 'x-content-type-options': 'nosniff' },
  };
}

/** Sends a client away for a second, as release 1.20 does when the server is busy. */
export function respondTooManyRequests(exchange: Exchange): void {
  exchange.isTerminated = true;
  exchange.flowHeaders = { 'retry-after': '1' };
  respondText(exchange, 429, 'Too many requests, please try again later.\n');
}

/** Writes what went wrong before a request was understood or allowed: text, as in release 1.20. */
export function respondInternalError(exchange: Exchange, problem: string): void {
  const text = `Internal Server Error: ${quoteGo(exchange.request.url ?? '')}: ${problem}`;
  respondText(exchange, 500, `${escapeHtml(text)}\n`);
}

/** Text that no browser takes for a page; quotes stay. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? '');

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

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
  const retryAfter = status.details?.retryAfterSeconds;
  const representation = given ?? statusRepresentation(exchange, encodings);
  // As in release 1.20, the audit log does not see what is written past the negotiation.
  if (representation !== undefined) exchange.audit?.noteStatus(status);
  respond(exchange, {
    code,
    contentType: representation?.contentType ?? 'application/json',
    body:
      representation === undefined
        ? Buffer.from(indented(status))
        : encodeValue(exchange, representation, { value: status, protobuf: encodings.protobuf }),
    ...(retryAfter === undefined || retryAfter === 0
      ? {}
      : { headers: { 'retry-after': String(retryAfter) } }),
  });
}

/** As release 1.20 writes a Status for which it found no encoding: empty objects in one line, and no tags of pages. */
const indented = (status: Status): string =>
  JSON.stringify(status, undefined, 2).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function statusRepresentation({ request }: Exchange, { negotiator }: Encodings): Representation | undefined {
  try {
    return negotiator.choose(request.headers.accept, { hasForms: false, hasRouter: false });
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
  return { Warning: warningHeaders(exchange.warnings) };
}

/** Characters of all warnings together beyond which each is cut, as release 1.20 does; and what is left of each then. */
const maxWarningCharacters = 4096;
const cutWarningCharacters = 256;

/** Headers have no room for control characters: such warnings are left out. Others are written as the bytes of UTF-8. */
function warningHeaders(warnings: readonly string[]): string[] {
  const texts = warnings.filter((text) => text !== '' && !/\p{Cc}/u.test(text)).map((text) => [...text]);
  const isTooLong = texts.reduce((sum, { length }) => sum + length, 0) > maxWarningCharacters;
  const headers: string[] = [];
  let left = maxWarningCharacters;
  for (const characters of texts) {
    if (isTooLong && left <= 0) break;
    const shown = isTooLong ? characters.slice(0, cutWarningCharacters) : characters;
    left -= shown.length;
    const quoted = shown.join('').replace(/["\\]/g, '\\$&');
    headers.push(encodeHeader(`299 - "${quoted}"`));
  }
  return headers;
}
