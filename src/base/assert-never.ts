/** Closes a tagged union: the compiler refuses a call that can be reached. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected variant: ${JSON.stringify(value)}`);
}
