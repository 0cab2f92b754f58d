import { randomBytes } from 'node:crypto';
import { asJsonObject, asText } from '../base/index.ts';
import { type Storage, StorageError, type StoredObject } from '../storage/index.ts';

const keyBytes = 32;
/** Each one after the first means that another server stored a key meanwhile. */
const maxAttempts = 5;

/** Folder of the key, below the root of all keys. No resource is stored there. */
export const tokenKeyFolder = 'continuetokens/';

/**
 * The secret that signs the tokens of paged lists, where servers share a store: it lives there too, made by whichever
 * comes first, so that each goes on with the lists of the others. One that nobody can read is made anew.
 *
 * @throws StorageError.
 */
export async function sharedTokenKey(storage: Storage, root: string): Promise<Buffer> {
  const key = `${root}${tokenKeyFolder}key`;
  let stored = await storage.get(key);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const known = stored === undefined ? undefined : decodeKey(stored);
    if (known !== undefined) return known;
    const made = randomBytes(keyBytes);
    const value = encodeKey(made);
    const result =
      stored === undefined
        ? await storage.create(key, value)
        : await storage.update(key, stored.revision, value);
    if (result.kind === 'ok') return made;
    stored = result.current;
  }
  throw new StorageError('unavailable', `${key} cannot be stored: others keep changing it`);
}

/** In the form of a Secret, so that whoever comes across it knows what it is. */
function encodeKey(key: Buffer): Buffer {
  const metadata = { name: 'key', resourceVersion: '', creationTimestamp: null };
  return Buffer.from(
    JSON.stringify({ kind: 'Secret', apiVersion: 'v1', metadata, data: { key: key.toString('base64') } }),
  );
}

function decodeKey({ bytes, problem }: StoredObject): Buffer | undefined {
  if (problem !== undefined) return undefined;
  const { data } = asJsonObject(JSON.parse(bytes.toString()));
  const key = Buffer.from(asText(asJsonObject(data).key), 'base64');
  return key.length === keyBytes ? key : undefined;
}
