import type { ConfigMap, KeyToPath, Secret } from '../../apis/types/core-v1.ts';
import type { Payload, PayloadFile } from './payload.ts';

/** Which entries of an object become which files. */
export interface ObjectFiles {
  readonly items?: readonly KeyToPath[] | undefined;
  readonly defaultMode: number;
  /** Entries may be missing. */
  readonly isOptional: boolean;
}

/** Files of a config map. @throws Error for a missing entry. */
export function configMapPayload({ data, binaryData }: Partial<ConfigMap>, files: ObjectFiles): Payload {
  const entries = new Map<string, Buffer>();
  for (const [key, text] of Object.entries(data ?? {})) entries.set(key, Buffer.from(text, 'utf8'));
  for (const [key, text] of Object.entries(binaryData ?? {})) entries.set(key, Buffer.from(text, 'base64'));
  return choose(entries, files, 'configmap references non-existent config key');
}

/** Files of a secret. @throws Error for a missing entry. */
export function secretPayload({ data }: Partial<Secret>, files: ObjectFiles): Payload {
  const entries = new Map<string, Buffer>();
  for (const [key, text] of Object.entries(data ?? {})) entries.set(key, Buffer.from(text, 'base64'));
  return choose(entries, files, 'references non-existent secret key');
}

function choose(entries: ReadonlyMap<string, Buffer>, files: ObjectFiles, complaint: string): Payload {
  const { items = [], defaultMode, isOptional } = files;
  const chosen = new Map<string, PayloadFile>();
  if (items.length === 0) {
    for (const [key, content] of entries) chosen.set(key, { content, mode: defaultMode });
    return chosen;
  }
  for (const { key, path, mode = defaultMode } of items) {
    const content = entries.get(key);
    if (content !== undefined) chosen.set(path, { content, mode });
    else if (!isOptional) throw new Error(`${complaint}: ${key}`);
  }
  return chosen;
}
