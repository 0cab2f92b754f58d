/**
 * Thrown inside a decoder when a value does not fit. It carries no path: the slow walk in `explain.ts`
 * finds the words, so that decoding what is right costs nothing for it.
 */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/** One object for all: it is caught in `decode` and its stack is of no use. */
const mismatch = new Mismatch('value does not fit its type');

export function throwMismatch(): never {
  throw mismatch;
}
