import type { Socket } from 'node:net';
import type { DetailedPeerCertificate } from 'node:tls';
import { decodeHeader } from '../../base/index.ts';
import { type AnyRequest, connectionOf } from './request.ts';

/** The certificate that a client showed, and whether it proves anything. */
export interface PeerCertificate {
  /** The common name; the last one where there are several, as Go reads names. Empty: there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Whether an authority that is believed signed it for clients, judged when the connection was made. */
  readonly isSigned: boolean;
  /** When the certificate and those above it are valid, in ms since the epoch. */
  readonly validFromMs: number;
  readonly validToMs: number;
  /** The client's own certificate, in DER form. */
  readonly der: Buffer;
}

const known = new WeakMap<object, PeerCertificate | 'none'>();

/** What the client of a request showed; undefined: no certificate. It is read once per connection. */
export function peerCertificateOf(request: AnyRequest): PeerCertificate | undefined {
  const connection = connectionOf(request);
  let certificate = known.get(connection);
  if (certificate === undefined) {
    certificate = readPeerCertificate(request.socket) ?? 'none';
    known.set(connection, certificate);
  }
  return certificate === 'none' ? undefined : certificate;
}

/** Whether a certificate proves who its client is at this moment: connections may outlive what they began with. */
export function isTrusted({ isSigned, validFromMs, validToMs }: PeerCertificate, nowMs: number): boolean {
  return isSigned && validFromMs <= nowMs && nowMs <= validToMs;
}

/** A socket, with what those of TLS know of their clients. */
interface MaybeSecureSocket extends Socket {
  /** Whether the certificate, if there is one, was signed by an authority that is believed. */
  readonly authorized?: boolean;
  getPeerCertificate?(detailed: true): DetailedPeerCertificate;
}

/** What a connection's client showed. */
function readPeerCertificate(socket: MaybeSecureSocket): PeerCertificate | undefined {
  const peer = socket.getPeerCertificate?.(true);
  if (peer?.subject === undefined) return undefined; // an empty object stands for no certificate
  const { CN, O } = peer.subject;
  return {
    commonName: listOf(CN).at(-1) ?? '',
    organizations: listOf(O),
    isSigned: socket.authorized === true,
    ...validityOf(peer),
    der: peer.raw,
  };
}

/** The time in which all certificates of the chain are valid. */
function validityOf(peer: DetailedPeerCertificate): Pick<PeerCertificate, 'validFromMs' | 'validToMs'> {
  let [validFromMs, validToMs] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const seen = new Set<DetailedPeerCertificate>(); // a root is its own issuer
  for (let next = peer; next !== undefined && !seen.has(next); next = next.issuerCertificate) {
    seen.add(next);
    validFromMs = Math.max(validFromMs, Date.parse(next.valid_from));
    validToMs = Math.min(validToMs, Date.parse(next.valid_to));
  }
  return { validFromMs, validToMs };
}

/** Names that occur more than once come as a list, which the platform's types leave out. */
function listOf(values: string | readonly string[] | undefined): readonly string[] {
  if (values === undefined) return [];
  return typeof values === 'string' ? [values] : values;
}

/** The token of an `Authorization: Bearer TOKEN` (RFC 6750, section 2.1); what follows the token is not looked at. */
export function bearerToken({ headers: { authorization } }: Pick<AnyRequest, 'headers'>): string | undefined {
  if (authorization === undefined) return undefined;
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? decodeHeader(token) : undefined;
}
