/** Documents with which other programs verify */
export {
  configurationPath,
  createIssuerHandlers,
  type IssuerOptions,
  keySetPath,
} from './issuer-documents.ts';
