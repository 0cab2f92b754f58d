/**
 * Storage that lives in this process' memory only: for tests and for servers whose state may be lost.
 */
export { type MemoryStorageOptions, openMemoryStorage } from './memory-storage.ts';
