/**
 * Documents with which other programs verify the service account tokens of this server: the issuer's configuration and
 * its public keys. It signs and verifies nothing.
 */
export {
  configurationPath,
  createIssuerHandlers,
  type IssuerOptions,
  keySetPath,
} from './issuer-documents.ts';
