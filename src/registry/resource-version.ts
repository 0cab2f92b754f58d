import { badRequest, otherFailure } from '../machinery/errors/index.ts';

/** What fits into 64 bits. */
const maxVersion = 2n ** 64n - 1n;

/** Which reader refuses a version: the store itself, for reads of just that version, or the cache before it. */
export type VersionReader = 'cache' | 'store';

/**
 * The revision that a client's resource version names.
 *
 * @throws StatusError 500 from the cache, 400 from the store, for what is no number of 64 bits.
 */
export function parseResourceVersion(text: string, reader: VersionReader = 'cache'): number {
  if (!/^\d+$/.test(text)) throw badVersion(text, 'invalid syntax', reader);
  // Numbers beyond 2^53 lose digits, but are all far in the future.
  const revision = Number(text);
  if (!Number.isSafeInteger(revision) && BigInt(text) > maxVersion) {
    throw badVersion(text, 'value out of range', reader);
  }
  return revision;
}

function badVersion(text: string, why: string, reader: VersionReader): Error {
  const quoted = JSON.stringify(text);
  const detail = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${why}`;
  return reader === 'store'
    ? badRequest(`invalid resource version: ${detail}`)
    : otherFailure(500, '', detail);
}
