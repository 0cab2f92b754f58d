import type { Verb } from './verb.ts';

/** A command as the overview lists it; its code is loaded when it is called. */
export interface VerbEntry {
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}

/** All commands, in the order of the overview. */
export const verbs: Readonly<Record<string, VerbEntry>> = {
  get: { summary: 'Show one or many resources', load: async () => (await import('./get/index.ts')).getVerb },
};
