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

/** Problems with a certificate or key of one's own, found before anything is sent. */
const ownCertificateProblems: Readonly<Record<string, string>> = {
  ERR_OSSL_PEM_NO_START_LINE: 'tls: failed to find any PEM data in certificate input',
  ERR_OSSL_UNSUPPORTED: 'tls: failed to parse private key',
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'tls: private key does not match public key',
};

/** What an alert of the other side says (RFC 8446, section 6.2), as crypto/tls words it. By number. */
const alerts: ReadonlyMap<number, string> = new Map([
  [10, 'unexpected message'],
  [20, 'bad record MAC'],
  [40, 'handshake failure'],
  [42, 'bad certificate'],
  [43, 'unsupported certificate'],
  [44, 'revoked certificate'],
  [45, 'expired certificate'],
  [46, 'unknown certificate'],
  [47, 'illegal parameter'],
  [48, 'unknown certificate authority'],
  [49, 'access denied'],
  [50, 'error decoding message'],
  [51, 'error decrypting message'],
  [70, 'protocol version not supported'],
  [71, 'insufficient security level'],
  [80, 'internal error'],
  [112, 'unrecognized name'],
  [116, 'certificate required'],
  [120, 'no application protocol'],
]);

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
  const { code = '', address, port = target.port } = error as DialFailure; // errors of the runtime carry these
  const refusal = refusals[code];
  if (refusal !== undefined)
    return dial(address === undefined ? target : { ...target, host: address, port }, refusal);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${target.host}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return describeOtherName(error, target.host);
  if (code === 'ERR_INVALID_CHAR') return describeHeader(error.message);
  if (code === 'ECONNRESET') {
    return error.message === 'socket hang up'
      ? 'EOF'
      : `read tcp ${formatAuthority(target)}: read: connection reset by peer`;
  }
  if (code === 'CERT_SIGNATURE_FAILURE' && target.authorities !== undefined)
    return describeForgery(target.authorities);
  if (code.startsWith('HPE_')) return 'malformed HTTP response';
  if (code === 'EPIPE') return `write tcp ${formatAuthority(target)}: write: broken pipe`;
  return certificateProblems[code] ?? ownCertificateProblems[code] ?? describeTlsError(error.message);
}

/** What errors of sockets carry. */
type DialFailure = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number };

/** A message of OpenSSL without its numbers and places, `error:CODE:LIBRARY:FUNCTION:REASON:FILE:LINE`; any other as it is. */
function describeTlsError(message: string): string {
  const alert = /:SSL alert number (\d+)/.exec(message)?.[1];
  if (alert !== undefined) return `remote error: tls: ${alerts.get(Number(alert)) ?? `alert(${alert})`}`;
  const reason = /\berror:[\dA-F]+:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1];
  if (reason === undefined) return message;
  const isOtherProtocol = /^(wrong version number|packet length too long|http request)$/.test(reason);
  return `tls: ${isOtherProtocol ? 'first record does not look like a TLS handshake' : reason}`;
}

/** Of a header with characters that no header may have: which, but not its value, which may be a secret. */
function describeHeader(message: string): string {
  const [, name = ''] = /\["(.*)"\]$/.exec(message) ?? [];
  const canonical = name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
  return `net/http: invalid header field value for ${JSON.stringify(canonical)}`;
}

/** What the runtime says of a certificate for other names; `host` is the one that was looked for. */
interface OtherName {
  readonly cert?: Pick<PeerCertificate, 'subjectaltname'>;
  readonly host?: string;
}

/** Which names a certificate is for, when it is not for the one wanted (crypto/x509 `HostnameError`). */
function describeOtherName(error: Error, dialed: string): string {
  const { cert, host = dialed } = error as OtherName; // the runtime says what it compared with what
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
