import { asJsonObject } from '../../base/index.ts';
import { quoteGo } from './field-error.ts';
import { type Status, type StatusDetails, StatusError } from './status.ts';

/** An answer that says no. */
export interface FailedResponse {
  readonly status: number;
  readonly body: Buffer;
  /** Reads a body that is no JSON. */
  readonly decode?: ((body: Buffer) => unknown) | undefined;
  readonly retryAfterSeconds: number;
  readonly method: string;
  /** When given, a text says why for codes whose meaning only the server knows, as client-go has it. */
  readonly contentType?: string | undefined;
}

/**
 * Makes the error of a failed request: the server's own Status when the body is one, else one that client-go
 * client would make of the code (its `transformResponse`).
 */
export function statusErrorFrom(response: FailedResponse): StatusError {
  const sent = parseStatus(response.body, response.decode);
  if (sent !== undefined) return new StatusError(sent);
  const known = genericAnswers[response.status];
  const text = textOf(response);
  const isServerFault = response.status >= 500;
  const reason = known?.reason ?? (isServerFault ? 'InternalError' : 'Unknown');
  const message =
    explanationIn(response, text) ??
    known?.message ??
    (isServerFault
      ? `an error on the server (${quoteGo(text)}) has prevented the request from succeeding`
      : `the server responded with the status code ${response.status} but did not return more information`);
  const details: StatusDetails = {
    ...(text === '' ? {} : { causes: [{ reason: 'UnexpectedServerResponse', message: text }] }),
    ...(response.retryAfterSeconds > 0 ? { retryAfterSeconds: response.retryAfterSeconds } : {}),
  };
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details,
    code: response.status,
  });
}

/** What the server wrote, which client-go shows where it is text. */
function textOf({ body, contentType }: FailedResponse): string {
  const isText = !contentType || contentType.trimStart().toLowerCase().startsWith('text/');
  return isText ? body.toString('utf8', 0, 2048).trim() : 'unknown';
}

/** Codes after which client-go shows what the server wrote, even if that is nothing. */
const explainedCodes: ReadonlySet<number> = new Set([403, 415]);

function explanationIn({ status, contentType }: FailedResponse, text: string): string | undefined {
  if (contentType === undefined) return undefined;
  if (status === 406) return text === '' || text === 'unknown' ? undefined : text;
  return explainedCodes.has(status) ? text : undefined;
}

/** Codes that say enough on their own; the texts are those that clients of release 1.20 print. */
const genericAnswers: Readonly<Record<number, { readonly reason: string; readonly message: string }>> = {
  400: { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' },
  401: { reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials' },
  403: { reason: 'Forbidden', message: 'the server does not allow access to the requested resource' },
  404: { reason: 'NotFound', message: 'the server could not find the requested resource' },
  405: {
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  406: {
    reason: 'NotAcceptable',
    message: 'the server was unable to respond with a content type that the client supports',
  },
  409: { reason: 'Conflict', message: 'the server reported a conflict' },
  415: {
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json',
  },
  422: { reason: 'Invalid', message: 'the server rejected our request due to an error in our request' },
  429: {
    reason: 'TooManyRequests',
    message: 'the server has received too many requests and has asked us to try again later',
  },
  503: { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' },
  504: {
    reason: 'Timeout',
    message:
      'the server was unable to return a response in the time allotted, but may still be processing the request',
  },
};

/** The body as a failure Status, if it is one. It is JSON unless `decode` is given. */
export function parseStatus(body: Buffer, decode: FailedResponse['decode']): Status | undefined {
  if (decode === undefined && body[0] !== 0x7b) return undefined;
  try {
    const value: unknown = decode === undefined ? JSON.parse(body.toString('utf8')) : decode(body);
    return isFailureStatus(value) ? value : undefined;
  } catch {
    return undefined; // not readable, so not a Status
  }
}

/** True for a failure Status in JSON shape. */
export function isFailureStatus(value: unknown): value is Status {
  const { kind, status, message } = asJsonObject(value);
  return kind === 'Status' && status !== 'Success' && (message === undefined || typeof message === 'string');
}
