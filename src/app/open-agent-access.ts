import type { ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { ClientPair } from '../server/callouts/index.ts';
import { readAuthorities } from '../server/pki/index.ts';
import { BackendClient } from '../server/streaming/agent/index.ts';
import type { AgentAccess } from '../server/subresources/index.ts';

/** What the way to agents is made of. */
export interface AgentAccessOptions {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  /** Feature gates that are on. */
  readonly gates: ReadonlySet<string>;
  /** The server's client certificate, as it is when a connection is made. */
  readonly agentPair: () => ClientPair;
}

/**
 * The way to agents as the flags say; files named by flags are read once.
 *
 * @throws PkiError for files that cannot be used.
 */
export async function openAgentAccess({
  config,
  dialect,
  gates,
  agentPair,
}: AgentAccessOptions): Promise<AgentAccess> {
  const { nodeagentCertificateAuthority: authorityFile } = config;
  const agentAuthorities = authorityFile === undefined ? undefined : await readAuthorities(authorityFile);
  return {
    client: new BackendClient({
      clientPair: agentPair,
      agentAuthorities,
      connectTimeoutMs: config.nodeagentTimeoutMs,
    }),
    choice: {
      preferredAddressTypes: config.nodeagentPreferredAddressTypes,
      defaultPort: config.nodeagentPort,
      endpointField: dialect.spell('nodeAgentEndpoint'),
    },
    redirects: gates.has('StreamingProxyRedirects')
      ? { mayChangeHost: !gates.has('ValidateProxyRedirects') }
      : undefined,
    maySkipVerification: gates.has('AllowInsecureBackendProxy'),
  };
}
