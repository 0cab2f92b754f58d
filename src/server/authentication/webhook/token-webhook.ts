import type { TokenReview } from '../../../apis/types/authentication-v1.ts';
import { asJsonObject, type Clock, errorText, type Logger } from '../../../base/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type TypeCatalog,
} from '../../../machinery/schema/index.ts';
import {
  CalloutError,
  callWithBackoff,
  readReview,
  type WebhookCaller,
  type WebhookClientConfig,
} from '../../callouts/index.ts';
import {
  refusedToken,
  type TokenAuthenticator,
  type TokenVerdict,
  unknownToken,
} from '../token-authenticator.ts';
import { cacheTokens } from '../token-cache.ts';

/** What tokens are asked about with. */
export interface TokenWebhookOptions {
  readonly caller: Pick<WebhookCaller, 'call'>;
  /** The webhook, as its file has it now. */
  readonly callee: () => WebhookClientConfig;
  /** Of the reviews that are sent. */
  readonly version: 'v1' | 'v1beta1';
  /** How long answers count; failures never do. */
  readonly cacheTtlMs: number;
  /** Audiences of the API itself, for which a token counts whose answer names none. */
  readonly audiences: readonly string[];
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** As in release 1.20 (apiserver, `plugin/pkg/authenticator/token/webhook`). */
const limits = { timeoutMs: 30_000, responseBytes: 1024 * 1024 };
/** How long a user counts at least, as in release 1.20, which keeps the users of all tokens for so long. */
const userTtlMs = 10_000;

/**
 * Users by the answers of a server that knows tokens. Answers are kept for `cacheTtlMs`, and users for ten seconds from
 * when they were last looked up there.
 */
export function tokenWebhook(options: TokenWebhookOptions): TokenAuthenticator {
  const { cacheTtlMs, clock } = options;
  const nowMs = () => clock.nowMs();
  const asked: TokenAuthenticator = {
    authenticateToken: (token, audiences) => ask(token, audiences, options),
  };
  const cached = cacheTokens(asked, { userTtlMs: cacheTtlMs, unknownTtlMs: cacheTtlMs, nowMs });
  return cacheTokens(cached, { userTtlMs, unknownTtlMs: 0, nowMs });
}

async function ask(
  token: string,
  audiences: readonly string[],
  options: TokenWebhookOptions,
): Promise<TokenVerdict> {
  const { clock, random, logger } = options;
  // Whoever waits for the same shares the call, so that it ends with none of them.
  const signal = AbortSignal.timeout(sharedTimeoutMs);
  try {
    const status = await callWithBackoff(() => call(token, audiences, options, signal), {
      clock,
      random,
      signal,
    });
    return verdictOf(status, audiences, options.audiences);
  } catch (error) {
    if (!(error instanceof CalloutError) && !signal.aborted) throw error;
    const text = signal.aborted ? 'context deadline exceeded' : errorText(error);
    logger.error('token webhook failed', { error: text });
    return refusedToken(text);
  }
}

/** For all calls about a token together. */
const sharedTimeoutMs = 30_000;

async function call(
  token: string,
  audiences: readonly string[],
  { caller, callee, version, dialect, catalog }: TokenWebhookOptions,
  signal: AbortSignal,
): Promise<TokenReview['status']> {
  const expected: GroupVersionKind = { group: dialect.group('authentication'), version, kind: 'TokenReview' };
  const review = {
    kind: expected.kind,
    apiVersion: formatGroupVersion(expected.group, version),
    metadata: { creationTimestamp: null },
    spec: { token, audiences },
    status: { user: {} },
  };
  const answer = await caller.call({
    client: callee(),
    body: `${JSON.stringify(review)}\n`,
    timeoutMs: limits.timeoutMs,
    maxResponseBytes: limits.responseBytes,
    signal,
  });
  // Decoded as a review, whose versions have the same status.
  return asJsonObject(readReview(answer.body, { catalog, dialect, expected }))
    .status as TokenReview['status'];
}

/** What an answer says of a token that is to be for one of these audiences. */
function verdictOf(
  status: TokenReview['status'],
  wanted: readonly string[],
  own: readonly string[],
): TokenVerdict {
  const { authenticated, user, error = '', audiences: named = [] } = status ?? {};
  const audiences = (named.length > 0 ? named : own).filter((audience) => wanted.includes(audience));
  if (audiences.length === 0) return unknownToken;
  if (authenticated !== true) return error === '' ? unknownToken : refusedToken(error);
  const { username: name = '', uid = '', groups = [], extra = {} } = user ?? {};
  return { kind: 'user', user: { name, uid, groups, extra }, audiences };
}
