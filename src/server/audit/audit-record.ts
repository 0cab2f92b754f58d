import type { UserInfo } from '../../apis/kind-rules.ts';
import { errorText, parseExact } from '../../base/index.ts';
import type { Status } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import type { AuditNotes, Exchange } from '../request/exchange.ts';
import { type AuditAnnotationNames, AuditAnnotations } from './audit-annotations.ts';
import type { RequestTexts } from './event-texts.ts';
import type { AuditChoice, AuditLevel } from './policy.ts';

/** How a request is recorded. */
export interface AuditRecordOptions {
  readonly choice: AuditChoice;
  readonly names: AuditAnnotationNames;
  /** Whether its credentials were refused. */
  readonly isRefused: boolean;
  /** Records the end of the request; left out where its answer does not wait for that. */
  readonly complete?: ((record: AuditRecord, code: number) => Promise<boolean>) | undefined;
}

/** Larger bodies are left out of events, which are then marked as truncated. */
const maxRecordedBytes = 3 * 1024 * 1024;

/** Collects what is recorded of one request; events are serialized from it. */
export class AuditRecord implements AuditNotes {
  readonly exchange: Exchange;
  readonly choice: AuditChoice;
  /** Who sent the request, whoever it runs as; undefined when the credentials were refused. */
  readonly requester: UserInfo | undefined;
  readonly level: AuditLevel;
  /** Address of the client, read at once: a closed connection no longer has it. */
  readonly peerAddress: string | undefined;
  readonly annotations: AuditAnnotations;
  status: Status | undefined;
  /** Metadata of the object in the request's body: the name of a created object is only there. */
  object: BroughtObject | undefined;
  /** What the request brought, as JSON; a patch may be no JSON. */
  requestObject: string | undefined;
  /** Whether the request brought a patch that is no JSON. */
  hasOtherPatch = false;
  responseBody: Buffer | undefined;
  /** Why the request ended unexpectedly, when it did. */
  panic: string | undefined;
  /** Code of a long answer that has begun. */
  begunWith: number | undefined;
  /** Resolves when the beginning of a long answer is recorded; undefined where nobody waits for that. */
  started: Promise<boolean> | undefined;
  /** Parts of the events' JSON that all events of the request have, once made. */
  texts: RequestTexts | undefined;
  /** Whether the end of the request was recorded. */
  isEnded = false;
  /** Called when the answer of a long request begins. */
  onStart: ((code: number) => void) | undefined;
  readonly #names: AuditAnnotationNames;
  readonly #complete: AuditRecordOptions['complete'];

  constructor(exchange: Exchange, { choice, names, isRefused, complete }: AuditRecordOptions) {
    this.exchange = exchange;
    this.choice = choice;
    this.requester = isRefused ? undefined : exchange.user;
    this.level = choice.level;
    this.peerAddress = exchange.request.socket?.remoteAddress;
    this.annotations = new AuditAnnotations(names);
    this.#names = names;
    this.#complete = complete;
  }

  complete(code: number): Promise<boolean> | undefined {
    return this.isEnded ? undefined : this.#complete?.(this, code);
  }

  noteDecision({ isAllowed, reason, error }: Parameters<AuditNotes['noteDecision']>[0]): void {
    const isUndecided = !isAllowed && error !== undefined;
    if (isUndecided) this.annotations.setDecision(undefined, 'internal error');
    else this.annotations.setDecision(isAllowed ? 'allow' : 'forbid', reason);
  }

  noteDeprecated(removedRelease: string): void {
    this.annotations.add(this.#names.deprecated, 'true');
    if (removedRelease !== '') this.annotations.add(this.#names.removedRelease, removedRelease);
  }

  noteAnnotation(key: string, value: string, level: 'Metadata' | 'Request' = 'Metadata'): void {
    if (level === 'Request' && this.level === 'Metadata') return;
    this.annotations.add(key, value);
  }

  noteUpgrade(): void {
    this.onStart?.(101);
  }

  noteFirstEvent(): void {
    this.onStart?.(200);
  }

  noteStatus(status: Status): void {
    this.status = status;
  }

  notePanic(error: unknown): void {
    this.panic = error instanceof Error ? error.name : errorText(error);
  }

  noteObject(object: Pick<ApiObject, 'apiVersion' | 'metadata'>): void {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = object.metadata ?? {}; // reviews may come without
    this.object = { name, namespace, uid, resourceVersion };
    // Release 1.20 has no form of other groups' kinds here: scales, evictions, token requests.
    if (this.#recordsBodies && parseGroupVersion(object.apiVersion)?.group === this.exchange.info.group)
      this.requestObject = this.#bounded(JSON.stringify(object));
  }

  noteDeleteOptions(options: object): void {
    if (!this.#recordsBodies) return;
    const { group, version } = this.exchange.info;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    this.requestObject = this.#bounded(JSON.stringify({ kind: 'DeleteOptions', ...options, apiVersion }));
  }

  notePatch(patch: Buffer): void {
    if (!this.#recordsBodies || patch.length === 0) return;
    try {
      this.requestObject = this.#bounded(JSON.stringify(parseExact(patch.toString('utf8'))));
    } catch {
      // A configuration in YAML, or something that is refused for what it is.
      this.hasOtherPatch = true;
    }
  }

  noteResponseBody(body: Buffer | undefined): void {
    if (this.level === 'RequestResponse') this.responseBody = this.#bounded(body);
  }

  get #recordsBodies(): boolean {
    return this.level !== 'Metadata';
  }

  #bounded<T extends { readonly length: number }>(body: T | undefined): T | undefined {
    if (body !== undefined && body.length <= maxRecordedBytes) return body;
    this.annotations.add(this.#names.truncated, 'true');
    return undefined;
  }
}

/** What an event says of the object that its request brought, where the path does not. */
interface BroughtObject {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
}
