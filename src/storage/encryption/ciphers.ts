import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

/** Seals values with one key. */
export interface ValueCipher {
  /** Name of the key, which sealed values carry. */
  readonly keyName: string;
  /** `path` is the key of the value: a value that is moved to another one cannot be opened, where the cipher sees to that. */
  seal(plain: Buffer, path: string): Buffer | Promise<Buffer>;
  /** @throws Error for bytes that were not sealed with this key. */
  open(sealed: Buffer, path: string): Buffer | Promise<Buffer>;
}

/** A key by its name. */
export interface NamedKey {
  readonly name: string;
  /** 16, 24 or 32 bytes; 32 for `secretbox`. */
  readonly secret: Buffer;
}

const blockBytes = 16;
const gcmNonceBytes = 12;
const gcmTagBytes = 16;
const boxNonceBytes = 24;

/** AES-CBC with PKCS#7 padding, as `IV | ciphertext`. It hides contents and does not protect them from changes. */
export function aescbcCipher({ name, secret }: NamedKey): ValueCipher {
  const algorithm = `aes-${secret.length * 8}-cbc`;
  return {
    keyName: name,
    seal(plain) {
      const iv = randomBytes(blockBytes);
      const cipher = createCipheriv(algorithm, secret, iv);
      return Buffer.concat([iv, cipher.update(plain), cipher.final()]);
    },
    open(sealed) {
      if (sealed.length < 2 * blockBytes || sealed.length % blockBytes !== 0) {
        throw new Error('the stored data is not of a valid length');
      }
      const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, blockBytes));
      return finish('invalid padding on input', () => [
        decipher.update(sealed.subarray(blockBytes)),
        decipher.final(),
      ]);
    },
  };
}

const gcmBySize = new Map([
  [16, 'aes-128-gcm' as const],
  [24, 'aes-192-gcm' as const],
  [32, 'aes-256-gcm' as const],
]);

/** AES-GCM, as `nonce | ciphertext | tag`; the path is authenticated with it. */
export function aesgcmCipher({ name, secret }: NamedKey): ValueCipher {
  const algorithm = gcmBySize.get(secret.length);
  if (algorithm === undefined) throw new RangeError(`a key of ${secret.length} bytes`);
  return {
    keyName: name,
    seal(plain, path) {
      const nonce = randomBytes(gcmNonceBytes);
      const cipher = createCipheriv(algorithm, secret, nonce, { authTagLength: gcmTagBytes });
      cipher.setAAD(Buffer.from(path));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, path) {
      const end = sealed.length - gcmTagBytes;
      if (end < gcmNonceBytes) throw new Error('the stored data was shorter than the required size');
      const nonce = sealed.subarray(0, gcmNonceBytes);
      const decipher = createDecipheriv(algorithm, secret, nonce, { authTagLength: gcmTagBytes });
      decipher.setAAD(Buffer.from(path));
      decipher.setAuthTag(sealed.subarray(end));
      return finish('cipher: message authentication failed', () => [
        decipher.update(sealed.subarray(gcmNonceBytes, end)),
        decipher.final(),
      ]);
    },
  };
}

/** XSalsa20 and Poly1305, as `nonce | box` (NaCl's secretbox). */
export function secretboxCipher({ name, secret }: NamedKey): ValueCipher {
  return {
    keyName: name,
    seal(plain) {
      const nonce = randomBytes(boxNonceBytes);
      return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(plain)]);
    },
    open(sealed) {
      if (sealed.length < boxNonceBytes + gcmTagBytes) throw new Error('the stored data is too short');
      const nonce = sealed.subarray(0, boxNonceBytes);
      return finish('the secretbox cannot be opened', () => [
        Buffer.from(xsalsa20poly1305(secret, nonce).decrypt(sealed.subarray(boxNonceBytes))),
      ]);
    },
  };
}

/** Whatever the library says of bytes that do not fit, the reader learns one thing. */
function finish(problem: string, open: () => readonly Buffer[]): Buffer {
  try {
    return Buffer.concat(open());
  } catch (cause) {
    throw new Error(problem, { cause });
  }
}
