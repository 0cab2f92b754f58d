import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** Signature algorithms (RFC 7518) of service account tokens. */
export type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** A key that verifies tokens. */
export interface TokenKey {
  /** SHA-256 of the public key in DER form, base64url, as release 1.20 makes it. */
  readonly keyId: string;
  readonly algorithm: TokenAlgorithm;
  readonly publicKey: KeyObject;
}

/** A key that signs tokens. */
export interface TokenSigningKey extends TokenKey {
  readonly privateKey: KeyObject;
}

/** Shorter RSA keys are refused (RFC 7518, section 3.3). */
const minRsaBits = 2048;

const pemBlock = /-----BEGIN [A-Z0-9 ]+-----[\s\S]+?-----END [A-Z0-9 ]+-----/g;

/**
 * The keys of PEM texts, each once, in order; of private keys the public half. `source` names them in messages.
 *
 * @throws RangeError for a text without keys, or a key of a kind that signs no tokens.
 */
export function readTokenKeys(pems: readonly string[], source: string): TokenKey[] {
  const keys = new Map<string, TokenKey>();
  for (const pem of pems) {
    const blocks = (pem.match(pemBlock) ?? []).filter((block) => !block.includes('PARAMETERS'));
    if (blocks.length === 0) throw new RangeError(`read ${source}: no PEM key in it`);
    for (const block of blocks) {
      const key = describeKey(parseKey(createPublicKey, block, source), source);
      keys.set(key.keyId, key);
    }
  }
  return [...keys.values()];
}

/** The key of one PEM text. @throws RangeError for anything but a private key that can sign tokens. */
export function readSigningKey(pem: string, source: string): TokenSigningKey {
  const privateKey = parseKey(createPrivateKey, pem, source);
  return { ...describeKey(createPublicKey(pem), source), privateKey };
}

function parseKey(parse: (pem: string) => KeyObject, pem: string, source: string): KeyObject {
  try {
    return parse(pem);
  } catch (cause) {
    throw new RangeError(`read ${source}: a PEM block in it is no usable key`, { cause });
  }
}

const curves: Readonly<Record<string, TokenAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

function describeKey(publicKey: KeyObject, source: string): TokenKey {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey;
  const algorithm = type === 'rsa' ? 'RS256' : curves[(type === 'ec' && details?.namedCurve) || ''];
  if (algorithm === undefined) {
    throw new RangeError(
      `read ${source}: the key is of type ${type}: expected RSA or ECDSA (P-256, P-384, P-521)`,
    );
  }
  if (type === 'rsa' && (details?.modulusLength ?? 0) < minRsaBits) {
    throw new RangeError(`read ${source}: the RSA key is too short: expected at least ${minRsaBits} bits`);
  }
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { keyId: createHash('sha256').update(der).digest('base64url'), algorithm, publicKey };
}
