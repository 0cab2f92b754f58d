/**
 * Tape archives, as far as files are copied with them: written from local files, read while they arrive. Where what was
 * read goes, is for others.
 */
export { encodeHeader, entryTypes, padding, type TarHeader } from './header.ts';
export { type TarEntries, TarReader } from './reader.ts';
export { writeTar } from './write-tar.ts';
