import type { Clock } from '../base/index.ts';
import { isControllerEnabled, type ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { Stores } from '../registry/index.ts';
import { type TokenAuthenticator, TokenIssuer } from '../server/authentication/index.ts';
import type { RuleResolver } from '../server/authorization/index.ts';
import type { Authorizer, SpecialHandlers } from '../server/index.ts';
import { type AgentAccess, createSubresourceHandlers } from '../server/subresources/index.ts';
import { createVirtualHandlers, standardComponents } from '../server/virtual/index.ts';
import type { Storage } from '../storage/index.ts';
import type { TokenTrust } from './service-account-tokens.ts';

export interface SpecialSources {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly stores: Stores;
  readonly tokenAuthenticator: TokenAuthenticator;
  readonly authorizer: Authorizer;
  readonly rules: RuleResolver;
  readonly tokens: TokenTrust;
  readonly agents: AgentAccess | undefined;
}

/** Handlers of what is no plain object: scales, evictions, reviews, component statuses and the like. */
export function createSpecialHandlers(sources: SpecialSources): SpecialHandlers {
  const { config, dialect, clock, storage, stores, tokens } = sources;
  const runsControllers = isControllerEnabled(config.controllers, 'garbagecollector', { onByDefault: true });
  return {
    subresources: createSubresourceHandlers({
      stores,
      agents: sources.agents,
      tokenIssuer: new TokenIssuer({
        dialect,
        ...tokens,
        nowMs: () => clock.nowMs(),
        maxExpirationSeconds: Math.floor(config.serviceAccountMaxTokenExpirationMs / 1000),
        extendsExpiration: config.serviceAccountExtendTokenExpiration,
      }),
    }),
    virtual: createVirtualHandlers({
      ...sources,
      audiences: tokens.audiences,
      allowsAnonymous: config.anonymousAuth,
      components: standardComponents({
        pingStorage: () => storage.ping(),
        runsControllers: () => runsControllers,
        runsScheduler: () => false,
      }),
    }),
  };
}
