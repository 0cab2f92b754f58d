import type { RestClient } from '../../../client/rest/index.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import { type Authenticate, createAuthenticator } from './authenticator.ts';
import { type Authorize, allowAll, createAccessReviews } from './authorizer.ts';
import { createGuard, type Guard } from './guard.ts';
import { createTokenReviews } from './token-reviews.ts';

type GuardSources = Pick<
  AgentServersOptions,
  'config' | 'client' | 'nodeName' | 'dialect' | 'clock' | 'logger'
>;

/**
 * Authentication and authorization as configured.
 *
 * @throws Error when no request could be authenticated, or a webhook mode has no API server
 */
export function buildGuard(sources: GuardSources, signal: AbortSignal): Guard {
  return createGuard({
    authenticate: buildAuthenticator(sources, signal),
    authorize: buildAuthorizer(sources, signal),
    nodeName: sources.nodeName,
    logger: sources.logger,
  });
}

function buildAuthenticator(sources: GuardSources, signal: AbortSignal): Authenticate {
  const { config, dialect, clock, logger } = sources;
  const ttlMs = config.authenticationTokenWebhookCacheTtlMs;
  const tokens = config.authenticationTokenWebhook
    ? createTokenReviews({ client: needClient(sources.client, 'tokens'), dialect, clock, signal, ttlMs })
    : undefined;
  return createAuthenticator({
    hasClientAuthority: config.clientCaFile !== '',
    tokens,
    allowsAnonymous: config.anonymousAuth,
    nowMs: () => clock.nowMs(),
    logger,
  });
}

function buildAuthorizer(sources: GuardSources, signal: AbortSignal): Authorize {
  const { config, dialect, clock } = sources;
  if (config.authorizationMode === 'AlwaysAllow') return allowAll;
  return createAccessReviews({
    client: needClient(sources.client, 'accesses'),
    dialect,
    clock,
    signal,
    authorizedTtlMs: config.authorizationWebhookCacheAuthorizedTtlMs,
    unauthorizedTtlMs: config.authorizationWebhookCacheUnauthorizedTtlMs,
  });
}

function needClient(client: RestClient | undefined, what: string): RestClient {
  if (client !== undefined) return client;
  throw new Error(
    `no client provided, cannot use webhook to review ${what}: an API server must be configured`,
  );
}
