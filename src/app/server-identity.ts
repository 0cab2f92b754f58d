import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isGlobalAddress, isWildcard, listInterfaceAddresses } from '../net/addresses/index.ts';
import {
  directoryKeyStore,
  type KeyPair,
  memoryKeyStore,
  openPki,
  type Pki,
  readKeyPair,
  selfSignedOf,
  servingNames,
} from '../server/pki/index.ts';
import { isAuthenticationLookedUp } from './authentication-lookup.ts';
import { AuthorityFiles } from './authority-files.ts';
import type { NamedCertificate } from './certificate-expiry.ts';
import { readGivenCertificates } from './given-certificates.ts';
import { requestHeaderNames } from './request-header-names.ts';

export interface IdentityOptions {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  /** Undefined keeps keys in memory. */
  readonly keyDirectory: string | undefined;
  /** The address that the cluster is told. */
  readonly advertiseAddress: string | undefined;
  readonly firstServiceAddress: string;
  readonly nowMs: () => number;
}

/** What the server shows of itself, and whom it believes. */
export interface ServerIdentity {
  readonly pki: Pki;
  /** As it is now. */
  readonly tls: KeyPair;
  /** PEM authorities by which clients know the servers of the store, as far as this one knows them. */
  readonly servingAuthorities: readonly string[];
  /** Says which authorities the servers of the store have, this one's among them. */
  believeServers(authorities: readonly string[]): void;
  /** Whom it believes. */
  readonly authorities: AuthorityFiles;
  /** What the server shows to servers of other API groups, if flags name it. */
  readonly aggregatorPair: KeyPair | undefined;
  /** What the server shows to agents, as it is now. */
  agentPair(): KeyPair;
  /** All certificates that it depends on, as they are now. */
  certificates(): readonly NamedCertificate[];
  /** The serving certificate when it is a new one. */
  refresh(): Promise<KeyPair | undefined>;
}

/**
 * Opens or makes the server's keys and certificates; files named by flags win over its own.
 *
 * @throws PkiError for files that cannot be used.
 */
export async function openIdentity(options: IdentityOptions): Promise<ServerIdentity> {
  const { config, dialect, keyDirectory, nowMs } = options;
  const { tlsCertFile: certificateFile, tlsPrivateKeyFile: keyFile } = config;
  const ownFiles =
    certificateFile !== undefined && keyFile !== undefined
      ? { certificate: certificateFile, privateKey: keyFile }
      : undefined;
  const pki = await openPki({
    store: keyDirectory === undefined ? memoryKeyStore() : directoryKeyStore(keyDirectory),
    nowMs,
    names: ownFiles === undefined ? () => namesOf(options) : undefined,
    agentClientName: dialect.spell('orch-apiserver-nodeagent-client'),
    adminName: dialect.spell('orch-admin'),
    authorityName: dialect.spell('orch-ca'),
  });
  const readServing = async (): Promise<KeyPair> => {
    const pair = ownFiles === undefined ? pki.serving : await readKeyPair(ownFiles);
    if (pair === undefined) throw new TypeError('there is no serving certificate');
    return pair;
  };
  let tls = await readServing();
  const given = await readGivenCertificates(config);
  const authorities = await AuthorityFiles.open({
    own: pki.authorityPem,
    clients: config.clientCaFile,
    proxies: config.requestheaderClientCaFile,
    names: requestHeaderNames(config),
    isLookedUp: isAuthenticationLookedUp(config),
  });
  let ofServers: readonly string[] = [pki.authorityPem];
  const agentPair = () => given.agentPair ?? pki.agentClient;
  return {
    pki,
    get tls() {
      return tls;
    },
    get servingAuthorities() {
      return [...new Set([...ofServers, ...selfSignedOf(tls.certificatePem)])];
    },
    believeServers(pems) {
      ofServers = pems;
      authorities.believeServers(pems);
    },
    authorities,
    aggregatorPair: given.aggregatorPair,
    agentPair,
    certificates: () =>
      namedCertificates({ pki, tls, authorities, agent: agentPair(), aggregator: given.aggregatorPair }),
    async refresh() {
      await pki.refreshServing();
      const current = await readServing();
      if (current.certificatePem === tls.certificatePem) return undefined;
      tls = current;
      return current;
    },
  };
}

/** What the server's own certificate is for. */
function namesOf({
  config,
  dialect,
  advertiseAddress,
  firstServiceAddress,
}: IdentityOptions): ReturnType<typeof servingNames> {
  return servingNames({
    dialect,
    hostName: hostname(),
    alsoKnownAs: [config.bindAddress, advertiseAddress ?? '', hostOf(config.externalHostname ?? '')],
    hostAddresses: isWildcard(config.bindAddress) ? hostAddresses() : [],
    firstServiceAddress,
  });
}

function namedCertificates(pairs: {
  readonly pki: Pki;
  readonly tls: KeyPair;
  readonly authorities: AuthorityFiles;
  readonly agent: KeyPair;
  readonly aggregator: KeyPair | undefined;
}): NamedCertificate[] {
  const { pki, tls, authorities, agent, aggregator } = pairs;
  const [own = '', ...others] = authorities.pems;
  return [
    { name: 'serving', pem: tls.certificatePem },
    { name: 'own authority', pem: own },
    ...others.map((pem) => ({ name: 'authority of clients', pem })),
    { name: 'client at agents', pem: agent.certificatePem },
    ...(aggregator === undefined
      ? []
      : [{ name: 'client at servers of other API groups', pem: aggregator.certificatePem }]),
    { name: 'administrator', pem: pki.admin.certificatePem },
  ];
}

/** The host's addresses that others can reach. */
function hostAddresses(): string[] {
  return listInterfaceAddresses()
    .map(({ address }) => address)
    .filter(isGlobalAddress);
}

/** The host of `HOST` or `HOST:PORT`. */
function hostOf(name: string): string {
  return isIP(name) === 0 ? name.replace(/:\d+$/, '') : name;
}
