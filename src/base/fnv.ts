/** Offset and prime of FNV, 32 bits (draft-eastlake-fnv). */
const fnv = { offset: 0x811c9dc5, prime: 0x01000193 } as const;

/** The 32-bit FNV-1a hash of bytes, or of a text's. */
export function fnv1a(data: string | Uint8Array): number {
  let sum: number = fnv.offset;
  for (const byte of bytesOf(data)) sum = Math.imul(sum ^ byte, fnv.prime);
  return sum >>> 0;
}

/** The older hash, which takes the steps in the other order. */
export function fnv1(data: string | Uint8Array): number {
  let sum: number = fnv.offset;
  for (const byte of bytesOf(data)) sum = Math.imul(sum, fnv.prime) ^ byte;
  return sum >>> 0;
}

const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data) : data;
