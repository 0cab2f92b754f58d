import type { ServeConfig } from '../config/serve/index.ts';
import { type KeyPair, readAuthorities, readKeyPair } from '../server/pki/index.ts';
import type { NamedCertificate } from './certificate-expiry.ts';

/** What files that flags name hold, beside the serving certificate: whom to believe, and what to show to others. */
export interface GivenCertificates {
  /** PEM authorities of `--client-ca-file`. */
  readonly clientAuthorities: readonly string[];
  /** PEM authorities of authenticating proxies. */
  readonly proxyAuthorities: readonly string[];
  readonly agentPair: KeyPair | undefined;
  /** What is shown to servers of other API groups. */
  readonly aggregatorPair: KeyPair | undefined;
}

/** Reads the files. @throws PkiError for one that cannot be used. */
export async function readGivenCertificates(config: ServeConfig): Promise<GivenCertificates> {
  return {
    clientAuthorities: await readGivenAuthorities(config.clientCaFile),
    proxyAuthorities: await readGivenAuthorities(config.requestheaderClientCaFile),
    agentPair: await readGivenPair(config.nodeagentClientCertificate, config.nodeagentClientKey),
    aggregatorPair: await readGivenPair(config.proxyClientCertFile, config.proxyClientKeyFile),
  };
}

/** The certificates whose end is told of, but for the one that agents are shown. */
export function nameGivenCertificates({
  clientAuthorities,
  proxyAuthorities,
  aggregatorPair,
}: GivenCertificates): NamedCertificate[] {
  return [
    ...clientAuthorities.map((pem) => ({ name: 'authority of clients', pem })),
    ...proxyAuthorities.map((pem) => ({ name: 'authority of authenticating proxies', pem })),
    ...(aggregatorPair === undefined
      ? []
      : [{ name: 'client at servers of other API groups', pem: aggregatorPair.certificatePem }]),
  ];
}

async function readGivenAuthorities(file: string | undefined): Promise<readonly string[]> {
  return file === undefined ? [] : await readAuthorities(file);
}

async function readGivenPair(
  certificate: string | undefined,
  privateKey: string | undefined,
): Promise<KeyPair | undefined> {
  if (certificate === undefined || privateKey === undefined) return undefined;
  return await readKeyPair({ certificate, privateKey });
}
