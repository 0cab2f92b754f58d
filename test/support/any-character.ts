import fc from 'fast-check';

/** Any character of Unicode, half a surrogate pair excepted; fast-check's own takes a second until its first. */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
