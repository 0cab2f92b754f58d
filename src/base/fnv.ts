/** Offset and prime of FNV-1a, 32 bits (draft-eastlake-fnv). */
const fnv = { offset: 0x811c9dc5, prime: 0x01000193 } as const;

/** The 32-bit FNV-1a hash of a text's bytes. */
export function fnv1a(text: string): number {
  let sum: number = fnv.offset;
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, fnv.prime);
  return sum >>> 0;
}
