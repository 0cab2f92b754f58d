import type { TokenRequest } from '../../apis/types/authentication-v1.ts';
import { type Clock, errorText, type Logger } from '../../base/index.ts';
import { type RestClient, resourcePath } from '../../client/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { PodTokenRequest, TokenStatus } from './contract.ts';

/** A pod's service account token cannot be had. The message is release 1.20's. */
export class ServiceAccountTokenError extends Error {
  override readonly name = 'ServiceAccountTokenError';
}

/** Where tokens of pods' service accounts are requested (subresource `token`). */
export interface ServiceAccountTokensOptions {
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Tokens of service accounts, kept for the pods that they are bound to. */
export interface ServiceAccountTokens {
  /** @throws ServiceAccountTokenError */
  get(request: PodTokenRequest): Promise<TokenStatus>;
  /** Drops the tokens of a pod. */
  forget(podUid: string): void;
}

interface Token {
  readonly status: TokenStatus;
  readonly expiresAtMs: number;
  readonly renewAtMs: number;
}

/** Part of its life that a token has left when it is renewed. */
const renewalShare = 0.2;
/** Tokens with a long life are renewed after a day. */
const maxAgeMs = 24 * 60 * 60_000;
const timeoutMs = 10_000;

/** Makes an empty store of tokens; it requests tokens on demand. */
export function createServiceAccountTokens(options: ServiceAccountTokensOptions): ServiceAccountTokens {
  const { clock, logger } = options;
  const byPod = new Map<string, Map<string, Token>>();
  return {
    async get(request) {
      const { namespace = '', uid = '' } = request.pod.metadata;
      const account = accountOf(request);
      const key = `${account}/${request.audience}/${request.expirationSeconds}`;
      const known = byPod.get(uid)?.get(key);
      if (known !== undefined && clock.nowMs() < known.renewAtMs) return known.status;
      try {
        const token = await requestToken(request, options);
        const tokens = byPod.get(uid) ?? new Map<string, Token>();
        byPod.set(uid, tokens.set(key, token));
        return token.status;
      } catch (error) {
        const why = errorText(error);
        if (known === undefined) {
          throw new ServiceAccountTokenError(`failed to fetch token: ${why}`, { cause: error });
        }
        if (clock.nowMs() < known.expiresAtMs) {
          logger.error('service account token refresh failed', { namespace, account, error: why });
          return known.status;
        }
        const what = `token ${namespace}/${account} expired and refresh failed: ${why}`;
        throw new ServiceAccountTokenError(what, { cause: error });
      }
    },
    forget: (podUid) => void byPod.delete(podUid),
  };
}

const accountOf = ({ pod }: PodTokenRequest): string => pod.spec.serviceAccountName || 'default';

async function requestToken(request: PodTokenRequest, options: ServiceAccountTokensOptions): Promise<Token> {
  const { name = '', namespace = '', uid = '' } = request.pod.metadata;
  const askedAtMs = options.clock.nowMs();
  const answer = await options.client.json<TokenRequest>({
    method: 'POST',
    path: resourcePath({
      group: '',
      version: 'v1',
      resource: 'serviceaccounts',
      namespace,
      name: accountOf(request),
      subresource: 'token',
    }),
    body: {
      apiVersion: `${options.dialect.group('authentication')}/v1`,
      kind: 'TokenRequest',
      spec: {
        audiences: request.audience === '' ? [] : [request.audience],
        expirationSeconds: request.expirationSeconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
      },
    },
    signal: options.signal,
    timeoutMs,
  });
  const { token, expirationTimestamp } = answer.status;
  const expiresAtMs = Date.parse(expirationTimestamp ?? '');
  if (typeof token !== 'string' || token === '' || Number.isNaN(expiresAtMs)) {
    throw new Error('the answer has no token');
  }
  // The server may grant less, or for old clients more, than was asked for.
  const lifeMs = Math.min(expiresAtMs - askedAtMs, request.expirationSeconds * 1000);
  const renewAtMs = Math.min(expiresAtMs - lifeMs * renewalShare, askedAtMs + maxAgeMs);
  return { status: { token, expirationTimestamp: expirationTimestamp ?? '' }, expiresAtMs, renewAtMs };
}
