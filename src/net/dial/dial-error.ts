import type { PeerCertificate } from 'node:tls';

// The runtime's modules are asked for when something fails: the client starts often, and rarely fails.
const isIP = (text: string): number => process.getBuiltinModule('node:net').isIP(text);
const isIPv6 = (text: string): boolean => isIP(text) === 6;

/** Where a connection goes. */
export interface DialTarget {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Where an `https` or `http` URL leads. */
export const dialTargetOf = ({ protocol, hostname, port }: URL): DialTarget => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || (protocol === 'http:' ? '80' : '443')),
});

/** `host:port` as URLs have it. */
export function formatAuthority({ host, port }: DialTarget): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where a connection should have gone, and who was believed to know its certificate. */
export interface DialedTarget extends DialTarget {
  /** PEM; undefined for the authorities of the machine. */
  readonly authorities?: string | undefined;
}

/** Messages of release 1.20 for failures to connect, which clients show and match. By the runtime's error code. */
const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
  EADDRNOTAVAIL: 'connect: cannot assign requested address',
};

const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'x509: certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'x509: certificate signed by unknown authority',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls: first record does not look like a TLS handshake',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls: first record does not look like a TLS handshake',
};

/** A connection that was not opened within its time limit. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
  readonly phase: 'connect' | 'handshake';

  constructor(phase: 'connect' | 'handshake') {
    super(`no ${phase} in time`);
    this.phase = phase;
  }
}

/** What kept a request from being sent or answered, as release 1.20 words it. */
export function describeDialError(error: unknown, target: DialedTarget): string {
  if (error instanceof ConnectTimeout) {
    return error.phase === 'handshake' ? 'net/http: TLS handshake timeout' : dial(target, 'i/o timeout');
  }
  // Several addresses were tried: the first failure stands for all.
  if (error instanceof AggregateError && error.errors.length > 0)
    return describeDialError(error.errors[0], target);
  if (!(error instanceof Error)) return String(error);
  const { code = '', address } = error as NodeJS.ErrnoException & { readonly address?: string };
  const refusal = refusals[code];
  if (refusal !== undefined)
    return dial(address === undefined ? target : { ...target, host: address }, refusal);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${target.host}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return describeOtherName(error, target.host);
  if (code === 'ECONNRESET') {
    return error.message === 'socket hang up'
      ? 'EOF'
      : `read tcp ${formatAuthority(target)}: read: connection reset by peer`;
  }
  if (code === 'CERT_SIGNATURE_FAILURE' && target.authorities !== undefined)
    return describeForgery(target.authorities);
  if (code.startsWith('HPE_')) return 'malformed HTTP response';
  if (code === 'EPIPE') return `write tcp ${formatAuthority(target)}: write: broken pipe`;
  // Of OpenSSL: the other side says by a number what it does not like.
  const alert = /alert (?:bad )?certificate(?: required)?/.exec(error.message)?.[0];
  if (alert !== undefined) return `remote error: tls: ${alert.replace('alert ', '')}`;
  return certificateProblems[code] ?? error.message;
}

/** Which names a certificate is for, when it is not for `host` (crypto/x509 `HostnameError`). */
function describeOtherName(error: Error, host: string): string {
  const { cert } = error as { readonly cert?: Pick<PeerCertificate, 'subjectaltname'> };
  const names = (cert?.subjectaltname ?? '').split(', ').filter((name) => name !== '');
  const prefix = isIP(host) === 0 ? 'DNS:' : 'IP Address:';
  const valid = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  if (valid.length > 0) return `x509: certificate is valid for ${valid.join(', ')}, not ${host}`;
  return isIP(host) === 0
    ? `x509: certificate is not valid for any names, but wanted to match ${host}`
    : `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
}

/** What Go calls signatures that do not fit a key of this type. */
const signatureProblems: Readonly<Record<string, string>> = {
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
  rsa: 'crypto/rsa: verification error',
};

/** A certificate in the name of an authority that did not sign it (crypto/x509 `UnknownAuthorityError`). */
function describeForgery(authorities: string): string {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const { publicKey, subject, serialNumber } = new X509Certificate(authorities);
  const problem = signatureProblems[publicKey.asymmetricKeyType ?? ''] ?? 'x509: signature mismatch';
  const name = /^CN=(.*)$/m.exec(subject)?.[1] ?? /^O=(.*)$/m.exec(subject)?.[1] ?? `serial:${serialNumber}`;
  const hint = `${JSON.stringify(problem)} while trying to verify candidate authority certificate ${JSON.stringify(name)}`;
  return `x509: certificate signed by unknown authority (possibly because of ${hint})`;
}

const dial = (target: DialTarget, what: string): string => `dial tcp ${formatAuthority(target)}: ${what}`;
