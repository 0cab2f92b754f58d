/**
 * Storage in a cluster of etcd members that several processes share: keys and values are those of release 1.20, and
 * what others write comes through the same watch as one's own writes. Knows etcd's version 3 interface from release
 * 3.4 on; runs no members itself.
 */
export { type EtcdStorageOptions, openEtcdStorage } from './etcd-storage.ts';
export type { EtcdTls } from './tls-credentials.ts';
