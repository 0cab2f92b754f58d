import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type ServeConfig, sniPairs } from '../config/serve/index.ts';
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
import { areSameCertificates, readSniCertificates } from './sni-certificates.ts';

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
  /** What it shows to clients that ask for these names, as it is now. */
  readonly named: ReadonlyMap<string, KeyPair>;
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
  /** Where certificates that it shows may be replaced. */
  readonly files: readonly string[];
  /** The serving certificate when it, or one for certain names, is a new one. */
  refresh(): Promise<KeyPair | undefined>;
}

/**
 * Opens or makes the server's keys and certificates; files named by flags win over its own.
 *
 * @throws PkiError for files that cannot be used.
 */
export async function openIdentity(options: IdentityOptions): Promise<ServerIdentity> {
  const { config } = options;
  const { tlsCertFile: certificateFile, tlsPrivateKeyFile: keyFile } = config;
  const ownFiles =
    certificateFile !== undefined && keyFile !== undefined
      ? { certificate: certificateFile, privateKey: keyFile }
      : undefined;
  const pki = await openKeys(options, ownFiles === undefined);
  const readServing = async (): Promise<KeyPair> => {
    const pair = ownFiles === undefined ? pki.serving : await readKeyPair(ownFiles);
    if (pair === undefined) throw new TypeError('there is no serving certificate');
    return pair;
  };
  let tls = await readServing();
  let named = await readSniCertificates(config.tlsSniCertKey);
  const given = await readGivenCertificates(config);
  const authorities = await openAuthorities(config, pki.authorityPem);
  let ofServers: readonly string[] = [pki.authorityPem];
  const agentPair = () => given.agentPair ?? pki.agentClient;
  return {
    pki,
    get tls() {
      return tls;
    },
    get named() {
      return named;
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
      namedCertificates({
        pki,
        tls,
        named,
        authorities,
        agent: agentPair(),
        aggregator: given.aggregatorPair,
      }),
    files: servedFiles(options),
    async refresh() {
      await pki.refreshServing();
      const current = await readServing();
      const currentNamed = await readSniCertificates(config.tlsSniCertKey);
      if (current.certificatePem === tls.certificatePem && areSameCertificates(currentNamed, named))
        return undefined;
      tls = current;
      named = currentNamed;
      return current;
    },
  };
}

/** The server's own keys, with a serving certificate where no flags name one. */
function openKeys(options: IdentityOptions, makesServing: boolean): Promise<Pki> {
  const { dialect, keyDirectory, nowMs } = options;
  return openPki({
    store: keyDirectory === undefined ? memoryKeyStore() : directoryKeyStore(keyDirectory),
    nowMs,
    names: makesServing ? () => namesOf(options) : undefined,
    agentClientName: dialect.spell('orch-apiserver-nodeagent-client'),
    adminName: dialect.spell('orch-admin'),
    authorityName: dialect.spell('orch-ca'),
  });
}

function openAuthorities(config: ServeConfig, own: string): Promise<AuthorityFiles> {
  return AuthorityFiles.open({
    own,
    clients: config.clientCaFile,
    proxies: config.requestheaderClientCaFile,
    names: requestHeaderNames(config),
    isLookedUp: isAuthenticationLookedUp(config),
  });
}

function servedFiles({ config, keyDirectory }: IdentityOptions): string[] {
  const { tlsCertFile, tlsPrivateKeyFile, tlsSniCertKey } = config;
  const own =
    keyDirectory === undefined
      ? []
      : ['apiserver.crt', 'apiserver.key'].map((name) => join(keyDirectory, name));
  return [
    ...(tlsCertFile === undefined || tlsPrivateKeyFile === undefined
      ? own
      : [tlsCertFile, tlsPrivateKeyFile]),
    ...sniPairs(tlsSniCertKey).flatMap(({ certificate, privateKey }) => [certificate, privateKey]),
  ];
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
  readonly named: ReadonlyMap<string, KeyPair>;
  readonly authorities: AuthorityFiles;
  readonly agent: KeyPair;
  readonly aggregator: KeyPair | undefined;
}): NamedCertificate[] {
  const { pki, tls, named, authorities, agent, aggregator } = pairs;
  const [own = '', ...others] = authorities.pems;
  return [
    { name: 'serving', pem: tls.certificatePem },
    ...[...named].map(([name, pair]) => ({ name: `serving ${name}`, pem: pair.certificatePem })),
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
