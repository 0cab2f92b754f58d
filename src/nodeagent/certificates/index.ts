/**
 * Certificates of the node: the first client certificate from a bootstrap configuration, renewal of client and serving
 * certificates by requests to the API server, and their files. It approves and signs nothing, and does not serve; what a
 * certificate is written with (DER, PEM) stands here too. After the agent of release 1.20.
 */
export { type BootstrapOptions, bootstrapClient } from './bootstrap-client.ts';
export type { CertificateKeeper, RenewalCounts } from './certificate-keeper.ts';
export { type CertificatePair, validityOf } from './certificate-pair.ts';
export {
  derBits,
  derInteger,
  derNull,
  derOctets,
  derOid,
  derSequence,
  derSet,
  derTime,
  derTrue,
  derUtf8,
  derValue,
} from './der.ts';
export { generalName } from './general-name.ts';
export {
  type ClientKeeperOptions,
  openClientKeeper,
  openServingKeeper,
  type ServingKeeperOptions,
} from './open-keepers.ts';
export { toPem } from './pem.ts';
export { CertificateRequestError } from './request-certificate.ts';
