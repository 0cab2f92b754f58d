/** A word that is offered, and what it means. */
export interface Candidate {
  readonly text: string;
  readonly help?: string | undefined;
}

/** What is offered at the cursor: words, or files or folders, which shells find better themselves. */
export type Offer = readonly Candidate[] | 'files' | 'folders';

/** Words that need no explanation. */
export const candidatesOf = (texts: Iterable<string>): Candidate[] => [...texts].map((text) => ({ text }));

/** The words behind a text that all of them begin with. */
export const behind = (prefix: string, candidates: readonly Candidate[]): Candidate[] =>
  candidates.map(({ text, help }) => ({ text: prefix + text, help }));
