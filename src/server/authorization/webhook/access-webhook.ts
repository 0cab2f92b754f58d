import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { SubjectAccessReviewStatus } from '../../../apis/types/authorization-v1.ts';
import {
  asJsonObject,
  asText,
  type Clock,
  ExpiringCache,
  errorText,
  type Logger,
} from '../../../base/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { TypeCatalog } from '../../../machinery/schema/index.ts';
import {
  CalloutError,
  callWithBackoff,
  readReview,
  type WebhookCaller,
  type WebhookClientConfig,
} from '../../callouts/index.ts';
import type { AuthorizationQuestion, Authorizer, Decision } from '../authorizer.ts';
import { type GrantedRules, type RuleResolver, unknownRules } from '../rule-resolver.ts';
import {
  type AccessReviewVersion,
  accessReviewKind,
  accessReviewSpec,
  writeAccessReview,
} from './access-review.ts';

/** What access is asked for with. */
export interface AccessWebhookOptions {
  readonly caller: Pick<WebhookCaller, 'call'>;
  /** The webhook, as its file has it now. */
  readonly callee: () => WebhookClientConfig;
  /** Of the reviews that are sent. */
  readonly version: AccessReviewVersion;
  /** How long answers count that allow. */
  readonly authorizedTtlMs: number;
  /** How long the others count. */
  readonly unauthorizedTtlMs: number;
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** As in release 1.20 (apiserver, `plugin/pkg/authorizer/webhook`). */
const limits = {
  timeoutMs: 30_000,
  responseBytes: 1024 * 1024,
  cachedAnswers: 8192,
  /** Attributes that clients choose; longer questions are not remembered, so that nobody can fill the memory. */
  cachedCharacters: 10_000,
};

/** Mode `Webhook`: asks a server about what it has not been asked for some time. */
export class AccessWebhook implements Authorizer, RuleResolver {
  readonly #options: AccessWebhookOptions;
  readonly #answers: ExpiringCache<SubjectAccessReviewStatus>;

  constructor(options: AccessWebhookOptions) {
    this.#options = options;
    const { clock } = options;
    this.#answers = new ExpiringCache({ maxEntries: limits.cachedAnswers, nowMs: () => clock.nowMs() });
  }

  authorize(question: AuthorizationQuestion): Decision | Promise<Decision> {
    const spec = accessReviewSpec(question);
    const key = JSON.stringify(spec);
    const known = this.#answers.get(key);
    return known === undefined ? this.#ask(question, spec, key) : decisionOf(known);
  }

  /** Nobody lists what a webhook would allow. */
  rulesFor(_user: UserInfo, _namespace: string): GrantedRules {
    return unknownRules('webhook authorizer does not support user rule resolution');
  }

  async #ask(
    question: AuthorizationQuestion,
    spec: ReturnType<typeof accessReviewSpec>,
    key: string,
  ): Promise<Decision> {
    const { clock, random, logger, authorizedTtlMs, unauthorizedTtlMs } = this.#options;
    const signal = question.asker?.signal ?? neverAborted;
    let status: SubjectAccessReviewStatus;
    try {
      status = await callWithBackoff(() => this.#call(spec, signal), { clock, random, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CalloutError)) throw error;
      const text = errorText(error);
      logger.error('authorization webhook failed', { error: text });
      return { isAllowed: false, reason: '', error: text };
    }
    if (isCacheable(question)) {
      this.#answers.set(key, status, status.allowed ? authorizedTtlMs : unauthorizedTtlMs);
    }
    return decisionOf(status);
  }

  async #call(
    spec: ReturnType<typeof accessReviewSpec>,
    signal: AbortSignal,
  ): Promise<SubjectAccessReviewStatus> {
    const { caller, callee, version, dialect, catalog } = this.#options;
    const expected = accessReviewKind(dialect, version);
    const answer = await caller.call({
      client: callee(),
      body: writeAccessReview(expected, spec),
      timeoutMs: limits.timeoutMs,
      maxResponseBytes: limits.responseBytes,
      signal,
    });
    const { status } = asJsonObject(readReview(answer.body, { catalog, dialect, expected }));
    // Decoded as what it is in both versions.
    const { allowed, denied, reason } = asJsonObject(status);
    return { allowed: allowed === true, denied: denied === true, reason: asText(reason) };
  }
}

const neverAborted = new AbortController().signal;

function isCacheable({ request }: AuthorizationQuestion): boolean {
  const { namespace, verb, group, version, resource, subresource, name, path } = request;
  const parts = [namespace, verb, group, version, resource, subresource, name, path];
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0) < limits.cachedCharacters;
}

function decisionOf({
  allowed: isAllowed,
  denied = false,
  reason = '',
}: SubjectAccessReviewStatus): Decision {
  if (!denied) return { isAllowed, reason };
  if (!isAllowed) return { isAllowed, isDenied: true, reason };
  const error = 'webhook subject access review returned both allow and deny response';
  return { isAllowed: false, isDenied: true, reason, error };
}
