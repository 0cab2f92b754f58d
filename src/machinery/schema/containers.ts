import { isJsonObject, setOwn } from '../../base/index.ts';
import type { Codec } from './codec.ts';
import { sortedKeys } from './json-text.ts';
import { throwMismatch } from './mismatch.ts';

/** A list; null elements become zero values. */
export function listCodec(element: Codec, goName: string): Codec {
  return {
    shape: 'list',
    decode(value) {
      if (!Array.isArray(value)) return throwMismatch();
      const out: unknown[] = [];
      for (let index = 0; index < value.length; index++) {
        const item: unknown = value[index];
        out.push(item === null || item === undefined ? element.zero() : element.decode(item));
      }
      return out;
    },
    zero: () => null,
    explain: { kind: 'list', goName, element: () => element },
  };
}

/** Maps of many keys that were decoded. To ask whether one has any takes as long as to go through all of them. */
const largeMaps = new WeakSet<object>();
const manyKeys = 64;

/** True for a map that was decoded and had many keys. */
export const isLargeMap = (value: object): boolean => largeMaps.has(value);

/** A map with string keys, sorted by their bytes; null values become zero values. */
export function mapCodec(element: Codec): Codec {
  return {
    shape: 'map',
    decode(value) {
      if (!isJsonObject(value)) return throwMismatch();
      const out: Record<string, unknown> = {};
      let count = 0;
      for (const key of sortedKeys(value)) {
        const item = value[key];
        if (item === undefined) continue;
        setOwn(out, key, item === null ? element.zero() : element.decode(item));
        count++;
      }
      if (count >= manyKeys) largeMaps.add(out);
      return out;
    },
    zero: () => null,
    explain: { kind: 'map', element: () => element },
  };
}
