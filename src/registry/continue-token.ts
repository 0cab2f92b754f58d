import { createHmac, timingSafeEqual } from 'node:crypto';
import { badRequest } from '../machinery/errors/index.ts';
import { findJsonFault } from '../machinery/schema/index.ts';

/** Where a paged list goes on. */
export interface ContinuePosition {
  /** The snapshot's revision; undefined for the rest of a list whose snapshot is gone, as it is now. */
  readonly revision: number | undefined;
  /** First key of the rest, relative to the list's prefix. */
  readonly startKey: string;
  /** Objects from there on, when that is known. */
  readonly left?: number | undefined;
  /** When the list began, in milliseconds of Unix time; undefined with `revision`. */
  readonly begunAtMs?: number | undefined;
}

/** Makes and reads the tokens of paged lists. */
export interface ContinueTokens {
  /** Opaque text for `metadata.continue`, which only goes on with lists of `prefix`. */
  encode(position: ContinuePosition, prefix: string): string;
  /**
   * Reads a client's token.
   *
   * @throws StatusError 400 when it is not one that was made with this key for this prefix.
   */
  decode(text: string, prefix: string): ContinuePosition;
}

/** What tokens of all servers of one store must have in common to be read by each of them. */
export interface ContinueTokenOptions {
  /** Group of the API's own options; part of the format. */
  readonly metaGroup: string;
  /** Secret of the servers that take one another's tokens. */
  readonly key: Buffer;
}

/** Revision in tokens for the newest state, as release 1.20 has it: 0 would be a token without one. */
const newest = -1;
const signatureBytes = 16;

interface Token {
  readonly v: unknown;
  readonly rv: unknown;
  readonly start: unknown;
  readonly left: unknown;
  readonly begun: unknown;
  readonly sig: unknown;
}

/**
 * Tokens in the format of release 1.20, with a signature (HMAC-SHA256, 128 bits) over what is in them and the prefix
 * of keys that the list reads: nobody can make one that reads elsewhere or at another revision.
 */
export function createContinueTokens({ metaGroup, key }: ContinueTokenOptions): ContinueTokens {
  // Release 1.20's version, so that the texts of bad tokens agree too.
  const version = `${metaGroup}/v1`;
  const sign = (fields: readonly unknown[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(fields)).digest().subarray(0, signatureBytes);
  return {
    encode({ revision, startKey, left, begunAtMs: begun }, prefix) {
      const rv = revision ?? newest;
      const sig = sign(signedFields([version, prefix, rv, startKey, left ?? null], begun)).toString(
        'base64url',
      );
      const token = { v: version, rv, start: startKey, left, begun, sig };
      return Buffer.from(JSON.stringify(token)).toString('base64url');
    },
    decode(text, prefix) {
      const { v, rv, start, left, begun, sig } = parseToken(text);
      if (v !== version) {
        throw invalidToken(
          `server does not recognize this encoded version ${JSON.stringify(String(v ?? ''))}`,
        );
      }
      if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv < newest || rv === 0) {
        throw invalidToken(`incorrect encoded start resourceVersion (version ${version})`);
      }
      if (typeof start !== 'string' || start === '') {
        throw invalidToken(`encoded start key empty (version ${version})`);
      }
      const expected = sign(signedFields([version, prefix, rv, start, left ?? null], begun));
      if (!isSignature(sig, expected)) throw invalidToken('it was not made for this list');
      return {
        revision: rv === newest ? undefined : rv,
        startKey: start,
        left: typeof left === 'number' ? left : undefined,
        begunAtMs: typeof begun === 'number' ? begun : undefined,
      };
    },
  };
}

/** What a token without a time is signed as has not changed: those of earlier versions stay good. */
const signedFields = (fields: readonly unknown[], begun: unknown): readonly unknown[] =>
  begun === undefined ? fields : [...fields, begun];

const invalidToken = (why: string): Error =>
  badRequest(`invalid continue token: continue key is not valid: ${why}`);

function isSignature(text: unknown, expected: Buffer): boolean {
  if (typeof text !== 'string') return false;
  const given = Buffer.from(text, 'base64url');
  // Only the exact text that was issued is accepted: the decoder overlooks stray characters.
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    given.toString('base64url') === text
  );
}

function parseToken(text: string): Token {
  const illegalAt = illegalByte(text);
  if (illegalAt !== undefined) throw invalidToken(`illegal base64 data at input byte ${illegalAt}`);
  const bytes = Buffer.from(text, 'base64url');
  try {
    const token: unknown = JSON.parse(bytes.toString());
    // Whatever it is, its members are looked at one by one.
    return (token ?? {}) as Token;
  } catch {
    throw invalidToken(findJsonFault(bytes) ?? 'text is not JSON');
  }
}

/** Where text stops being unpadded base64url. */
function illegalByte(text: string): number | undefined {
  const at = text.search(/[^\w-]/);
  if (at >= 0) return at;
  return text.length % 4 === 1 ? text.length - 1 : undefined;
}
