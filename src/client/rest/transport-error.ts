import { describeDialError, dialTargetOf } from '../../net/dial/index.ts';

/**
 * Why no answer came: `refused` (nobody listens), `unreachable` (no route, unknown host), `tls` (the certificate or
 * the handshake), `timeout`, `aborted` (by the caller), `protocol` (an answer that is no answer of this API),
 * `broken` (the connection ended in the middle).
 */
export type TransportErrorCode =
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'aborted'
  | 'protocol'
  | 'broken';

/** A request without an answer. The message says why in the words of release 1.20's client. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;
  /** Host and port that were tried. */
  readonly host: string;

  constructor(code: TransportErrorCode, message: string, options: { host: string; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.code = code;
    this.host = options.host;
  }
}

const codes: Readonly<Record<string, TransportErrorCode>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'aborted',
  EPROTO: 'tls',
  ECONNRESET: 'broken',
  EPIPE: 'broken',
};

const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_OSSL_|HOSTNAME_|ERR_CRYPTO_)/;

/** Sorts a socket's error; several attempts (IPv6, then IPv4) count as the last one. */
export function toTransportError(error: unknown, host: string): TransportError {
  if (error instanceof TransportError) return error;
  const last = error instanceof AggregateError ? error.errors.at(-1) : error;
  const code = String((last as { code?: unknown } | undefined)?.code ?? ''); // system errors carry a text code
  const kind = codes[code] ?? (tlsCodes.test(code) ? 'tls' : 'broken');
  const message = describeDialError(last, dialTargetOf(new URL(`https://${host}`))) || code;
  return new TransportError(kind, message, { host, cause: error });
}
