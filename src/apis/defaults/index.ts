/**
 * Default values of the built-in kinds and their alias fields, set in place on an object in the version of the
 * request. Values that only the server knows (uid, allocated addresses) are set elsewhere. The rules are data
 * (`defaults.json`); those that a constant cannot say are named functions. Source: release 1.20.
 */
export { type CertificateRequest, parseCertificateRequest } from './certificate-request.ts';
export { normalizeClusterIps } from './cluster-ips.ts';
export { type ApplyDefaults, createDefaulter, type DefaulterOptions } from './defaulter.ts';
export { isLatestImage } from './image-tag.ts';
