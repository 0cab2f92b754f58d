import { X509Certificate } from 'node:crypto';
import type { Clock } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { CertificateIssuer } from '../controllers/index.ts';
import { type KeyPair, readKeyPair, readRequest, signRequest } from '../server/pki/index.ts';

type SignerName = Parameters<CertificateIssuer['sign']>[0]['signer'];
type Files = readonly [string | undefined, string | undefined];

/**
 * Who signs requests for certificates: the authorities that flags name, else the server's own.
 *
 * @throws PkiError naming the file that cannot be used.
 */
export async function openCertificateIssuer(
  config: ServeConfig,
  own: KeyPair,
  clock: Clock,
): Promise<CertificateIssuer> {
  const forAll = (await readPair([config.clusterSigningCertFile, config.clusterSigningKeyFile])) ?? own;
  const of = async (files: Files): Promise<KeyPair> => (await readPair(files)) ?? forAll;
  const authorities: Readonly<Record<SignerName, KeyPair>> = {
    'orch.io/orch-apiserver-client': await of([
      config.clusterSigningOrchApiserverClientCertFile,
      config.clusterSigningOrchApiserverClientKeyFile,
    ]),
    'orch.io/orch-apiserver-client-nodeagent': await of([
      config.clusterSigningNodeagentClientCertFile,
      config.clusterSigningNodeagentClientKeyFile,
    ]),
    'orch.io/nodeagent-serving': await of([
      config.clusterSigningNodeagentServingCertFile,
      config.clusterSigningNodeagentServingKeyFile,
    ]),
    'orch.io/legacy-unknown': await of([
      config.clusterSigningLegacyUnknownCertFile,
      config.clusterSigningLegacyUnknownKeyFile,
    ]),
  };
  return {
    read: readRequest,
    sign: ({ signer, requestPem, usages }) =>
      signRequest({
        authority: authorities[signer],
        requestPem,
        usages,
        nowMs: clock.nowMs(),
        lifetimeMs: config.clusterSigningDurationMs,
      }),
    expiryOf,
  };
}

async function readPair([certificate, privateKey]: Files): Promise<KeyPair | undefined> {
  if (certificate === undefined || privateKey === undefined) return undefined;
  return await readKeyPair({ certificate, privateKey });
}

function expiryOf(certificatePem: string): number | undefined {
  try {
    return new X509Certificate(certificatePem).validToDate.getTime();
  } catch {
    return undefined; // whoever signed it wrote something else
  }
}
