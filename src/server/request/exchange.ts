import type { UserInfo } from '../../apis/kind-rules.ts';
import type { TurnQueue } from '../../base/index.ts';
import type { Status } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { AnyRequest, AnyResponse, ConnectionUpgrade } from '../../net/http/index.ts';
import type { RequestInfo } from './request-info.ts';

/** Collects what the audit log records of a request beside its head. */
export interface AuditNotes {
  /** Whether the user may, and why; or what kept the server from deciding. */
  noteDecision(decision: {
    readonly isAllowed: boolean;
    readonly reason: string;
    readonly error?: string | undefined;
  }): void;
  /** The API that was asked for is deprecated; `removedRelease` is empty when no release is named. */
  noteDeprecated(removedRelease: string): void;
  /**
   * What a part of the server says of the request, such as admission; left out of records below this level. A key that is
   * there keeps its value.
   */
  noteAnnotation(key: string, value: string, level?: 'Metadata' | 'Request'): void;
  /** The connection speaks another protocol from now on: an answer that has no head of its own. */
  noteUpgrade(): void;
  /** The first event of a watch is sent. */
  noteFirstEvent(): void;
  /** The answer is this Status. */
  noteStatus(status: Status): void;
  /** The request ended in a way that nobody foresaw. */
  notePanic(error: unknown): void;
  /** The request brings this object, decoded and with its defaults. It may be changed afterwards. */
  noteObject(object: Pick<ApiObject, 'apiVersion' | 'metadata'>): void;
  /** The request brings these `DeleteOptions`. */
  noteDeleteOptions(options: object): void;
  /** The request brings this patch or configuration. */
  notePatch(patch: Buffer): void;
  /** Undefined: the body is too large to be kept. */
  noteResponseBody(body: Buffer | undefined): void;
  /**
   * Where answers wait until they are recorded: resolves when that is done, to false when it had to be and could not.
   * Undefined elsewhere, and from the second call on.
   */
  complete(code: number): Promise<boolean> | undefined;
}

/** One request and its answer on the way through the filters. Filters fill in what later ones read. */
export interface Exchange {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  readonly method: string;
  /** Decoded path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly auditId: string;
  readonly startedAtMs: number;
  /** Where the requests of the server wait for their turn, when many came at once. */
  readonly turns?: TurnQueue | undefined;
  /**
   * Aborts when the client goes away before the answer is complete, the deadline has passed, or the server stops. Made
   * when first asked for.
   */
  readonly signal: AbortSignal;
  /** Aborts the request: its signal aborts, and the connection closes after the answer. */
  abort(reason: Error): void;
  /** The client is authenticated: its connection no longer counts as an unauthenticated one. */
  trust?(): void;
  /** Set by the filter that counts the request, called when the deadline has passed. */
  onDeadline?: (() => void) | undefined;
  /** Resolves when an answer that is held back was sent. */
  held?: Promise<void> | undefined;
  /** Headers of the answer that say how the request was let in. */
  flowHeaders?: Readonly<Record<string, string>> | undefined;
  /** The server was too busy for the request, or it took too long. */
  isTerminated?: boolean | undefined;
  /** Size of the body that is answered with, once it is known. */
  answerBytes?: number | undefined;
  /** Media type of the answer, once it is known. */
  answerType?: string | undefined;
  /** Set by the authentication filter. */
  user: UserInfo;
  /**
   * Present when the request asks for another protocol (`Upgrade`). Until it is accepted, the answer is sent as usual.
   */
  readonly upgrade?: ConnectionUpgrade | undefined;
  /** Present from authentication on when the request is recorded in the audit log. */
  audit?: AuditNotes | undefined;
  /** Warnings for the client (RFC 7234, code 299), set until the head is written. */
  readonly warnings: string[];
}

/** A step that every request passes. It answers itself or calls `next`. */
export type Filter = (exchange: Exchange, next: (exchange: Exchange) => Promise<void>) => Promise<void>;

/** The end of the filters: answers the request. @throws StatusError instead of answering. */
export type Handler = (exchange: Exchange) => Promise<void>;

/** One function out of filters in order, outermost first, and the handler that they lead to. */
export function composeFilters(filters: readonly Filter[], handler: Handler): Handler {
  return filters.reduceRight<Handler>((next, filter) => (exchange) => filter(exchange, next), handler);
}
