import type { UserInfo } from '../../apis/kind-rules.ts';
import type { Status } from '../../machinery/errors/index.ts';
import { bearerToken, peerCertificateOf } from '../../net/http/index.ts';
import type { AuditNotes, Exchange } from '../request/exchange.ts';
import type { AuditChoice, AuditLevel } from './policy.ts';

/** Names of annotations, as the dialect has them. */
export interface AuditAnnotationNames {
  readonly decision: string;
  readonly reason: string;
  readonly deprecated: string;
  readonly removedRelease: string;
  readonly truncated: string;
}

/** How a request is recorded. */
export interface AuditRecordOptions {
  readonly choice: AuditChoice;
  readonly names: AuditAnnotationNames;
  /** Whether its credentials were refused. */
  readonly isRefused: boolean;
}

/** Larger bodies are left out of events, which are then marked as truncated. */
export const maxRecordedBytes = 1024 * 1024;

/** Collects what is recorded of one request; events are serialized from it later. */
export class AuditRecord implements AuditNotes {
  readonly exchange: Exchange;
  readonly choice: AuditChoice;
  /** Who sent the request, whoever it runs as; undefined when the credentials were refused. */
  readonly requester: UserInfo | undefined;
  readonly level: AuditLevel;
  /** Address of the client, read at once: a closed connection no longer has it. */
  readonly peerAddress: string | undefined;
  readonly annotations: Record<string, string> = {};
  status: Status | undefined;
  /** What is said of a request whose credentials were refused. */
  readonly failure: string | undefined;
  /** Metadata of the object in the request's body: the name of a created object is only there. */
  object: { readonly name: string; readonly namespace: string; readonly uid: string } | undefined;
  requestBody: Buffer | undefined;
  responseBody: Buffer | undefined;
  /** Called when the answer of a long request begins. */
  onStart: ((code: number) => void) | undefined;
  readonly #names: AuditAnnotationNames;

  constructor(exchange: Exchange, { choice, names, isRefused }: AuditRecordOptions) {
    this.exchange = exchange;
    this.choice = choice;
    this.requester = isRefused ? undefined : exchange.user;
    this.level = choice.level;
    this.peerAddress = exchange.request.socket?.remoteAddress;
    // Read at once too.
    this.failure = isRefused ? describeAttempts(exchange) : undefined;
    this.#names = names;
  }

  noteDecision(isAllowed: boolean, reason: string): void {
    this.annotations[this.#names.decision] = isAllowed ? 'allow' : 'forbid';
    this.annotations[this.#names.reason] = reason;
  }

  noteDeprecated(removedRelease: string): void {
    this.annotations[this.#names.deprecated] = 'true';
    if (removedRelease !== '') this.annotations[this.#names.removedRelease] = removedRelease;
  }

  noteUpgrade(): void {
    this.onStart?.(101);
  }

  noteStatus(status: Status): void {
    this.status = status;
  }

  noteObject({ metadata }: Parameters<AuditNotes['noteObject']>[0]): void {
    const { name = '', namespace = '', uid = '' } = metadata ?? {}; // reviews may come without
    this.object = { name, namespace, uid };
  }

  noteRequestBody(body: Buffer): void {
    if (this.level !== 'Metadata' && body.length > 0) this.requestBody = this.#bounded(body);
  }

  noteResponseBody(body: Buffer | undefined): void {
    if (this.level === 'RequestResponse') this.responseBody = this.#bounded(body);
  }

  /** Bytes that wait in memory as long as the record does, roughly. */
  get sizeBytes(): number {
    const { url = '' } = this.exchange.request;
    return 1024 + url.length + (this.requestBody?.length ?? 0) + (this.responseBody?.length ?? 0);
  }

  #bounded(body: Buffer | undefined): Buffer | undefined {
    if (body !== undefined && body.length <= maxRecordedBytes) return body;
    this.annotations[this.#names.truncated] = 'true';
    return undefined;
  }
}

/** How the client tried to say who it is, in release 1.20's words. */
function describeAttempts({ request, query }: Exchange): string {
  const attempts = [
    ['basic', /^basic ./i.test(request.headers.authorization ?? '')],
    ['bearer', bearerToken(request) !== undefined],
    ['access_token', (query.get('access_token') ?? '').trim() !== ''],
    ['x509', peerCertificateOf(request) !== undefined],
  ].flatMap(([name, isTried]) => (isTried ? [name] : []));
  if (attempts.length === 0) return 'Authentication failed, no credentials provided';
  return `Authentication failed, attempted: ${attempts.join(', ')}`;
}
