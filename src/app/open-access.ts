import type { Clock, Logger } from '../base/index.ts';
import { etcdServers, type ServeConfig } from '../config/serve/index.ts';
import type { Storage } from '../storage/index.ts';
import type { ApiModel } from './api-model.ts';
import type { ApiSources } from './build-api.ts';
import type { LoopbackAccess } from './loopback-access.ts';
import { openAdmission } from './open-admission.ts';
import { openAgentAccess } from './open-agent-access.ts';
import { openAuthentication } from './open-authentication.ts';
import { openAuthorization } from './open-authorization.ts';
import { createOriginTest } from './origin-test.ts';
import type { ServerIdentity } from './server-identity.ts';
import { openTokenTrust } from './service-account-tokens.ts';
import { sharedTokenKey } from './shared-token-key.ts';

/** What decides who is believed. */
export interface AccessSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly identity: ServerIdentity;
  readonly clock: Clock;
  readonly storage: Storage;
  /** The way of parts of this process. */
  readonly loopback: LoopbackAccess;
  readonly logger: Logger;
  /** Ends what is opened for good. */
  readonly opened: AsyncDisposableStack;
}

/** Whom the API believes, and how it makes itself believed. */
export type ServerAccess = Pick<
  ApiSources,
  | 'fileAuthenticators'
  | 'loopback'
  | 'tokens'
  | 'fileAuthorizers'
  | 'admissionFiles'
  | 'listTokenKey'
  | 'isOriginAllowed'
  | 'agents'
>;

/**
 * Reads the files of tokens, keys, authorities and authorizers that the flags name.
 *
 * @throws StorageError, PkiError or Error naming what cannot be used.
 */
export async function openAccess(sources: AccessSources): Promise<ServerAccess> {
  const { config, model, identity, storage, loopback } = sources;
  const { dialect, gates, root } = model;
  const { pki, agentPair } = identity;
  const tokens = await openTokenTrust(config, dialect, pki.serviceAccountKey);
  return {
    fileAuthenticators: await openAuthentication(sources, tokens),
    loopback: loopback.authenticator,
    tokens,
    fileAuthorizers: await openAuthorization(sources),
    admissionFiles: await openAdmission(sources),
    listTokenKey: etcdServers(config) === undefined ? undefined : await sharedTokenKey(storage, root),
    isOriginAllowed: await createOriginTest(config.corsAllowedOrigins),
    agents: await openAgentAccess({ config, dialect, gates, agentPair }),
  };
}
