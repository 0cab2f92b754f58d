/** A value with the type that it has on the bus. */
export interface DbusVariant {
  readonly signature: string;
  readonly value: DbusValue;
}

/** A value as the bus has it: 64-bit integers are bigints, arrays, structures and entries of dictionaries are lists. */
export type DbusValue = boolean | number | bigint | string | readonly DbusValue[] | DbusVariant;

/** Bytes from the bus, or a value for it, that are none. */
export class DbusFormatError extends Error {
  override readonly name = 'DbusFormatError';
}

/** By the first letter of a type, the multiple of bytes at which its values begin (D-Bus specification, "Marshaling"). */
export const alignments: Readonly<Record<string, number>> = {
  y: 1,
  b: 4,
  n: 2,
  q: 2,
  i: 4,
  u: 4,
  x: 8,
  t: 8,
  d: 8,
  s: 4,
  o: 4,
  g: 1,
  h: 4,
  a: 4,
  v: 1,
  '(': 8,
  '{': 8,
};

/** The bound of the specification. */
const maxSignatureLength = 255;
/** Types nest no deeper; the specification bounds arrays and structures at 32 each. */
export const maxDepth = 64;

/** The complete types that a signature consists of. @throws DbusFormatError */
export function splitSignature(signature: string): string[] {
  if (signature.length > maxSignatureLength) throw new DbusFormatError('a signature is too long');
  const types: string[] = [];
  for (let at = 0; at < signature.length; ) {
    const end = typeEnd(signature, at, 0);
    types.push(signature.slice(at, end));
    at = end;
  }
  return types;
}

function typeEnd(signature: string, at: number, depth: number): number {
  const letter = signature[at];
  if (letter === undefined || alignments[letter] === undefined || depth > maxDepth) {
    throw new DbusFormatError(`bad signature ${JSON.stringify(signature)}`);
  }
  if (letter === 'a') return typeEnd(signature, at + 1, depth + 1);
  if (letter !== '(' && letter !== '{') return at + 1;
  const close = letter === '(' ? ')' : '}';
  let end = at + 1;
  do end = typeEnd(signature, end, depth + 1);
  while (end < signature.length && signature[end] !== close);
  if (signature[end] !== close) throw new DbusFormatError(`bad signature ${JSON.stringify(signature)}`);
  return end + 1;
}
