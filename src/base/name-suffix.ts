/** Letters of generated names: no vowels and no look-alikes, so that no words arise. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';
/** Letters that a generated name ends with. */
export const nameSuffixLength = 5;

/** Five random letters that make a name unique, as names that the API generates end. */
export function randomNameSuffix(): string {
  // Not imported: a client that makes no names must not wait for a library of ciphers.
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  let suffix = '';
  // 243 is the largest multiple of 27 in a byte: letters stay equally likely.
  while (suffix.length < nameSuffixLength) {
    for (const byte of randomBytes(8)) {
      if (byte < 243 && suffix.length < nameSuffixLength) suffix += letters[byte % letters.length];
    }
  }
  return suffix;
}
