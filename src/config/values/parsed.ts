/** A value, or what is wrong with its text. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** The second of the two. */
export function refuse(problem: string): { readonly problem: string } {
  return { problem };
}
