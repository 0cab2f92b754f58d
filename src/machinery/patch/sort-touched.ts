import { isJsonObject, type JsonObject, ownValue, setOwn } from '../../base/index.ts';

/**
 * A patched document with the members of the objects that the patch went into sorted by name, as evanphx/json-patch writes
 * them: its messages show that text and depend on that order. What `patched` shares with `original` stays as it is.
 */
export function sortTouched(patched: unknown, original: unknown): unknown {
  if (patched === original || !isJsonObject(patched) || !isJsonObject(original)) return patched;
  const sorted: JsonObject = {};
  for (const key of Object.keys(patched).sort()) {
    setOwn(sorted, key, sortTouched(patched[key], ownValue(original, key)));
  }
  return sorted;
}
