import { asJsonObject } from '../base/index.ts';
import { readPages, type Storage, StorageError, type StoredObject } from '../storage/index.ts';

/** Small pages, because parsing one keeps everything else waiting. */
const pageBytes = 512 * 1024;
const maxProblems = 20;

export interface CheckedObjects {
  readonly objectCount: number;
  readonly revision: number;
  readonly problems: readonly string[];
}

/** Reads all objects below `root` and says which are none: values that are no JSON or do not tell their revision. */
export async function checkObjects(
  storage: Storage,
  { root, signal }: { readonly root: string; readonly signal?: AbortSignal | undefined },
): Promise<CheckedObjects> {
  const problems: string[] = [];
  let objectCount = 0;
  let revision = 0;
  try {
    for await (const page of readPages(storage, { root, pageBytes, signal })) {
      revision = page.revision;
      objectCount += page.objects.length;
      for (const object of page.objects) {
        const problem = problemOf(object);
        if (problem !== undefined && problems.length < maxProblems)
          problems.push(`${object.key}: ${problem}`);
      }
    }
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'corrupt') throw error;
    problems.push(error.message);
  }
  return { objectCount, revision, problems };
}

function problemOf({ bytes, revision, problem }: StoredObject): string | undefined {
  if (problem !== undefined) return problem;
  try {
    const found = asJsonObject(asJsonObject(JSON.parse(bytes.toString())).metadata).resourceVersion;
    return found === String(revision)
      ? undefined
      : `has resourceVersion ${JSON.stringify(found)}, not ${revision}`;
  } catch {
    return 'is no JSON';
  }
}
