/**
 * The server's own keys and certificates: an authority, a serving certificate that is renewed while the server runs and
 * the administrator's client certificate (all ECDSA P-256), and the RSA key that signs service account tokens. Client
 * certificates are verified by TLS itself; this folder only loads the authorities. It writes no client configuration.
 */
export { certificateNames } from './certificate-names.ts';
export { type CertificateRequest, issueCertificate, makeAuthority, type Subject } from './issue.ts';
export { type KeepFreshOptions, keepFresh } from './keep-fresh.ts';
export { type KeyPair, makeSigningKey, type SigningKey, signingKeyOf } from './key-pair.ts';
export { directoryKeyStore, type KeyStore, memoryKeyStore } from './key-store.ts';
export { openPki, type Pki, type PkiOptions } from './open-pki.ts';
export { PkiError, type PkiErrorCode } from './pki-error.ts';
export { readAuthorities, readKeyPair, selfSignedOf, splitAuthorities } from './read-key-pair.ts';
export { type ServingNameSources, type ServingNames, servingNames } from './serving-names.ts';
export { type RequestedSubject, readRequest, type SignRequestOptions, signRequest } from './sign-request.ts';
