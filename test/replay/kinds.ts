import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Case } from './rig.ts';

/** Kinds of recordings, in the order in which they are played. */
export const kinds = ['pods', 'restart', 'network', 'endpoints', 'registration', 'certificates'] as const;

export type Kind = (typeof kinds)[number];

/** What tells the kinds apart. */
interface AnyRecording {
  readonly steps?: unknown;
  readonly exchanges?: readonly { readonly request: { readonly name: string } }[];
  readonly exitOnTerm?: unknown;
  readonly node?: unknown;
  readonly flags?: unknown;
  readonly expect?: Readonly<Record<string, unknown>>;
}

/** The cases of a folder, by name. @throws Error for a file of none of the kinds, which nobody would play */
export async function readCases(directory: string): Promise<readonly (Case & { readonly kind: Kind })[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.json')).sort();
  const found = await Promise.all(
    files.map(async (file) => {
      const name = basename(file, '.json');
      // The folder is the project's own or the caller's.
      const recording = JSON.parse(await readFile(join(directory, file), 'utf8')) as AnyRecording;
      const kind = kindOf(recording);
      if (kind === undefined) throw new Error(`${join(directory, file)}: a recording of no known kind`);
      return splitUp(recording).map(([part, own]) => ({
        name: `${name}${part}`,
        directory,
        kind,
        recording: own,
      }));
    }),
  );
  return found.flat();
}

function kindOf({ steps, exchanges, exitOnTerm, node, flags, expect }: AnyRecording): Kind | undefined {
  if (steps !== undefined) return 'pods';
  if (exchanges !== undefined) return 'endpoints';
  if (exitOnTerm !== undefined) return 'restart';
  if (node !== undefined && flags !== undefined) return 'registration';
  if (expect?.afterConfiguration !== undefined) return 'network';
  if (expect?.chain !== undefined || expect?.request !== undefined) return 'certificates';
  return undefined;
}

/** Each exchange is a case. */
function splitUp(recording: AnyRecording): readonly (readonly [string, unknown])[] {
  const { exchanges } = recording;
  if (exchanges === undefined) return [['', recording]];
  return exchanges.map((each) => [`/${each.request.name}`, { ...recording, exchanges: [each] }]);
}
