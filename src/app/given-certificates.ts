import type { ServeConfig } from '../config/serve/index.ts';
import { type KeyPair, readKeyPair } from '../server/pki/index.ts';

/** What the server shows to others, by files that flags name. */
export interface GivenCertificates {
  readonly agentPair: KeyPair | undefined;
  /** What is shown to servers of other API groups. */
  readonly aggregatorPair: KeyPair | undefined;
}

/** Reads the files. @throws PkiError for one that cannot be used. */
export async function readGivenCertificates(config: ServeConfig): Promise<GivenCertificates> {
  return {
    agentPair: await readGivenPair(config.nodeagentClientCertificate, config.nodeagentClientKey),
    aggregatorPair: await readGivenPair(config.proxyClientCertFile, config.proxyClientKeyFile),
  };
}

async function readGivenPair(
  certificate: string | undefined,
  privateKey: string | undefined,
): Promise<KeyPair | undefined> {
  if (certificate === undefined || privateKey === undefined) return undefined;
  return await readKeyPair({ certificate, privateKey });
}
