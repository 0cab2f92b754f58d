import type { Logger } from '../../base/index.ts';
import {
  bootstrapClient,
  type CertificateKeeper,
  openClientKeeper,
  openServingKeeper,
} from '../../nodeagent/certificates/index.ts';
import type { NodeRecord } from '../../nodeagent/node/index.ts';
import type { AgentBase, NodeAgentStart } from './agent-base.ts';
import { type AgentClients, agentCredentials, userAgentOf } from './agent-clients.ts';
import { renewalCounts, showLifetime } from './certificate-metrics.ts';

/**
 * Obtains the first client certificate where the options ask for it, and waits for its approval.
 *
 * @throws Error when the request was refused, or the certificate and its configuration cannot be written
 */
export async function obtainCredentials(start: NodeAgentStart, nodeName: string): Promise<void> {
  const { config, dialect, version, environment, clock, logger, signal } = start;
  const { orchconfigPath, bootstrapOrchconfigPath, certDir } = config;
  if (bootstrapOrchconfigPath === '') return;
  if (orchconfigPath === '') {
    throw new Error(
      `--bootstrap-orchconfig needs ${dialect.spell('--orchconfig')}, where the configuration is kept`,
    );
  }
  await bootstrapClient({
    orchconfigPath,
    bootstrapOrchconfigPath,
    certDir,
    nodeName,
    userAgent: userAgentOf(dialect, version),
    credentials: agentCredentials({ dialect, environment, clock }),
    dialect,
    clock,
    logger,
    signal,
  });
}

/** Keeps the certificate of the clients valid where the options ask for it. */
export async function rotateClientCertificate(
  { config, dialect, clock, logger }: NodeAgentStart,
  {
    clients,
    nodeName,
    metrics,
  }: Pick<AgentBase, 'nodeName' | 'metrics'> & { readonly clients: AgentClients },
): Promise<CertificateKeeper | undefined> {
  if (!config.rotateCertificates) return undefined;
  const keeper = await openClientKeeper({
    config,
    connection: clients.connection,
    client: clients.main,
    nodeName,
    dialect,
    clock,
    logger: named(logger, 'client'),
    random: Math.random,
    counts: renewalCounts('client', metrics),
  });
  showLifetime('client', keeper, { metrics, clock });
  const use = (): void => {
    const pair = keeper.current();
    if (pair !== undefined) clients.useCertificate(pair);
  };
  use();
  keeper.onChange(use);
  return keeper;
}

/** Keeps a serving certificate for the node's names and addresses where the options ask for it. */
export async function rotateServingCertificate(
  { config, dialect, clock, logger, clients, nodeName, metrics }: AgentBase,
  record: Pick<NodeRecord, 'addresses'>,
): Promise<CertificateKeeper | undefined> {
  if (!config.rotateServerCertificates || !config.features.RotateNodeAgentServerCertificate) return undefined;
  const keeper = await openServingKeeper({
    config,
    addresses: () => record.addresses,
    client: clients?.main,
    nodeName,
    dialect,
    clock,
    logger: named(logger, 'serving'),
    random: Math.random,
    counts: renewalCounts('serving', metrics),
  });
  showLifetime('serving', keeper, { metrics, clock });
  return keeper;
}

const named = (logger: Logger, certificate: string): Logger => logger.child({ certificate });
