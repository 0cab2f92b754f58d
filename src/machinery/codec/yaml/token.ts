import type { Mark } from './cursor.ts';

/** Letters that are pieces by themselves. */
export type Sign = '[' | ']' | '{' | '}' | ',' | '-' | '?' | ':';
type Edge = 'block-list' | 'block-map' | 'block-end' | 'stream-end' | 'document-start' | 'document-end';

/** A piece of a text, and where it starts. Keys have a `?` before them, whether it is written or not. */
export type Token = { readonly start: Mark } & (
  | { readonly type: Sign | Edge }
  | { readonly type: 'alias' | 'anchor'; readonly name: string }
  | { readonly type: 'tag'; readonly handle: string; readonly suffix: string }
  | { readonly type: 'scalar'; readonly text: string; readonly isPlain: boolean }
  | { readonly type: 'version'; readonly text: string }
  | { readonly type: 'tag-directive'; readonly handle: string; readonly prefix: string }
);
