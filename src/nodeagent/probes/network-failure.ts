import { ownValue } from '../../base/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { joinHostPort } from './host-port.ts';

/** Messages of system errors as release 1.20 words them. */
const systemTexts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'cannot assign requested address',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTDOWN: 'host is down',
  EHOSTUNREACH: 'no route to host',
  EINVAL: 'invalid argument',
  EMFILE: 'too many open files',
  ENETUNREACH: 'network is unreachable',
  EPIPE: 'broken pipe',
  EPERM: 'operation not permitted',
  ETIMEDOUT: 'connection timed out',
};

const unknownHosts: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);

/** Fields of the error of a failed connection; each may be missing. */
interface FailureFields {
  readonly code: string;
  readonly syscall: string;
  readonly address: string;
  readonly port: number;
  readonly message: string;
  readonly rawPacket: Uint8Array | undefined;
}

/** Why a connection to `host` could not be made or broke, in release 1.20's words. */
export function describeNetworkFailure(error: unknown, host: string, port: number): string {
  const fields = readFields(error);
  const { code, syscall, message } = fields;
  const peer = joinHostPort(fields.address || host, fields.port || port);
  if (unknownHosts.has(code)) return `dial tcp: lookup ${host}: no such host`;
  const text = ownValue(systemTexts, code);
  if (code === 'ECONNRESET' && syscall === '') return 'EOF';
  if (text !== undefined && (syscall === 'read' || syscall === 'write')) {
    return `${syscall} tcp ${peer}: ${syscall}: ${text}`;
  }
  if (text !== undefined) return `dial tcp ${peer}: connect: ${text}`;
  if (code.startsWith('HPE_')) return describeMalformed(fields);
  if (isPlainAnswer(code, message)) return 'http: server gave HTTP response to HTTPS client';
  return message;
}

/** A server without TLS answers a handshake with text. */
function isPlainAnswer(code: string, message: string): boolean {
  return (
    /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code) ||
    /wrong version number/i.test(message)
  );
}

const maxQuotedLength = 64;

function describeMalformed({ rawPacket }: FailureFields): string {
  const text = new TextDecoder('latin1').decode(rawPacket?.subarray(0, maxQuotedLength));
  const [line = ''] = text.split(/\r?\n/);
  return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${quoteGo(line)}`;
}

function readFields(error: unknown): FailureFields {
  // Errors of sockets have these fields; each is checked before it is used.
  const fields = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const textOf = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const { port, rawPacket } = fields;
  return {
    code: textOf('code'),
    syscall: textOf('syscall'),
    address: textOf('address'),
    port: typeof port === 'number' ? port : 0,
    message: textOf('message') || String(error),
    rawPacket: rawPacket instanceof Uint8Array ? rawPacket : undefined,
  };
}
