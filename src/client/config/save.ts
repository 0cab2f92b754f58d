import { mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../../base/index.ts';
import type { ClientConfig } from './model.ts';
import { encodeClientConfig } from './wire.ts';

/**
 * Writes a configuration to a file in one step, readable by its owner only: a reader sees the old file or the new
 * one, and a symbolic link stays one.
 */
export function saveClientConfig(file: string, config: ClientConfig): Promise<void> {
  return saveDocument(file, encodeClientConfig(config));
}

/** As `saveClientConfig`, for a document in the form of the file. */
export async function saveDocument(file: string, document: object): Promise<void> {
  const { dump } = await import('js-yaml');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(
    resolveLink(file),
    dump(document, { lineWidth: -1, seqNoIndent: true, noRefs: true }),
  );
}

function resolveLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // it does not exist yet
  }
}
