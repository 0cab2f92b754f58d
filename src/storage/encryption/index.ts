/**
 * Encryption of stored values: a store over another one that seals values as providers of keys say, in the form that
 * release 1.20 has in etcd, so that servers of both kinds read what either wrote.
 */
export { aescbcCipher, aesgcmCipher, type NamedKey, secretboxCipher, type ValueCipher } from './ciphers.ts';
export { createEncryptedStorage, type FindProviders } from './encrypted-storage.ts';
export { KmsCipher, type KmsOptions } from './kms-cipher.ts';
export { type EncryptionProvider, ProviderChain } from './providers.ts';
