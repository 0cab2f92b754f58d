import { readFile } from 'node:fs/promises';
import type { NodeAddress } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Connection, RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import { type CertificateKeeper, type RenewalCounts, startCertificateKeeper } from './certificate-keeper.ts';
import { type CertificatePair, isUsable } from './certificate-pair.ts';
import { CertificateStore } from './certificate-store.ts';
import { clientSubject } from './client-subject.ts';
import { certificatePurposes } from './request-certificate.ts';
import type { CertificateSubject } from './signing-request.ts';

interface KeeperInputs {
  readonly nodeName: string;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Numbers from 0 to 1. */
  readonly random: () => number;
  readonly counts: RenewalCounts;
}

/** Inputs for keeping the client certificate with which the agent authenticates to the API server. */
export interface ClientKeeperOptions extends KeeperInputs {
  readonly config: Pick<AgentConfig, 'certDir'>;
  /** Credentials of the client configuration. */
  readonly connection: Connection;
  readonly client: RestClient;
}

/**
 * Keeps the client certificate of `--rotate-certificates` valid. It begins with the one in the certificate directory, or
 * that of the client configuration, which is replaced at once when it stands in the configuration itself.
 */
export async function openClientKeeper(options: ClientKeeperOptions): Promise<CertificateKeeper> {
  const { config, connection, nodeName, dialect, clock, logger } = options;
  const store = new CertificateStore({
    directory: config.certDir,
    name: dialect.spell('nodeagent-client'),
  });
  const kept = await readUsable(store, { clock, logger });
  const { cert, key } = connection.tls;
  const given =
    cert === undefined || key === undefined
      ? undefined
      : { certificatePem: cert.toString(), privateKeyPem: key.toString() };
  return startCertificateKeeper({
    ...options,
    store,
    initial: kept ?? (given !== undefined && isUsable(given, clock.nowMs()) ? given : undefined),
    renewsAtOnce: kept === undefined,
    subject: () => clientSubject(nodeName),
    purpose: certificatePurposes.client,
  });
}

/** Inputs for keeping the serving certificate of the agent's own HTTPS server. */
export interface ServingKeeperOptions extends KeeperInputs {
  readonly config: Pick<AgentConfig, 'certDir' | 'tlsCertFile' | 'tlsPrivateKeyFile'>;
  readonly addresses: () => readonly NodeAddress[];
  /** Undefined: without an API server, where no certificate can be asked for. */
  readonly client: RestClient | undefined;
}

/**
 * Keeps the serving certificate of `--rotate-server-certificates` valid, for the node's names and addresses. It begins
 * with the one in the certificate directory, or that of the given files.
 */
export async function openServingKeeper(options: ServingKeeperOptions): Promise<CertificateKeeper> {
  const { config, addresses, client, nodeName, dialect, clock, logger } = options;
  const store = new CertificateStore({
    directory: config.certDir,
    name: dialect.spell('nodeagent-server'),
  });
  const initial = (await readUsable(store, { clock, logger })) ?? (await readFiles(config, clock.nowMs()));
  if (client === undefined) return keepAsIs(initial);
  return startCertificateKeeper({
    ...options,
    client,
    store,
    initial,
    subject: () => servingSubject(nodeName, addresses()),
    purpose: certificatePurposes.serving,
  });
}

async function readUsable(
  store: CertificateStore,
  { clock, logger }: Pick<KeeperInputs, 'clock' | 'logger'>,
): Promise<CertificatePair | undefined> {
  try {
    const pair = await store.read();
    return pair !== undefined && isUsable(pair, clock.nowMs()) ? pair : undefined;
  } catch (error) {
    logger.error('stored certificate unusable', { file: store.currentPath, error });
    return undefined;
  }
}

async function readFiles(
  { tlsCertFile, tlsPrivateKeyFile }: ServingKeeperOptions['config'],
  nowMs: number,
): Promise<CertificatePair | undefined> {
  if (tlsCertFile === '' || tlsPrivateKeyFile === '') return undefined;
  const [certificatePem, privateKeyPem] = await Promise.all([
    readFile(tlsCertFile, 'utf8'),
    readFile(tlsPrivateKeyFile, 'utf8'),
  ]);
  const pair = { certificatePem, privateKeyPem };
  return isUsable(pair, nowMs) ? pair : undefined;
}

function keepAsIs(pair: CertificatePair | undefined): CertificateKeeper {
  return { current: () => pair, onChange: () => () => {}, [Symbol.asyncDispose]: async () => {} };
}

const nameTypes: ReadonlySet<string> = new Set(['Hostname', 'InternalDNS', 'ExternalDNS']);
const ipTypes: ReadonlySet<string> = new Set(['InternalIP', 'ExternalIP']);

/** What a node serves as: all its names and addresses; undefined while it has none, and nothing can be asked for. */
export function servingSubject(
  nodeName: string,
  addresses: readonly NodeAddress[],
): CertificateSubject | undefined {
  const pick = (types: ReadonlySet<string>): string[] =>
    [...new Set(addresses.filter(({ type }) => types.has(type)).map(({ address }) => address))].sort();
  const [dnsNames, ipAddresses] = [pick(nameTypes), pick(ipTypes)];
  if (dnsNames.length === 0 && ipAddresses.length === 0) return undefined;
  return { ...clientSubject(nodeName), dnsNames, ipAddresses };
}
