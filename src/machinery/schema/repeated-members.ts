import { isJsonObject, setOwn } from '../../base/index.ts';
import type { Codec } from './codec.ts';
import { keepDigits } from './json-skip.ts';

/** Values that stay as they are where null follows them. */
const staysWithNull = new Set(['struct', 'bool', 'integer', 'double']);
const texts = /"(?:[^"\\]|\\.)*"(\s*:)?/gs;

/**
 * The value of a JSON text as json-iterator reads it, for which a member that stands twice is read into what was read
 * before: fields of types are merged, maps joined, items of lists merged one by one, all else is replaced. The text must
 * be JSON.
 */
export function readRepeated(codec: Codec, text: Buffer): unknown {
  let count = 0;
  // Names that count up keep members apart that have the same one.
  const apart = text
    .toString('utf8')
    .replace(texts, (found, colon?: string) =>
      colon === undefined ? found : `"${count++}:${found.slice(1)}`,
    );
  return readInto(codec, undefined, JSON.parse(apart, keepDigits));
}

const nameOf = (counted: string): string => counted.slice(counted.indexOf(':') + 1);

function readInto(codec: Codec, before: unknown, value: unknown): unknown {
  const { explain } = codec;
  if (value === null) return staysWithNull.has(explain.kind) ? before : null;
  if (explain.kind === 'list' && Array.isArray(value)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    return value.map((item, index) => readInto(explain.element(), old[index], item));
  }
  if (!isJsonObject(value)) return withNames(value);
  const out = isJsonObject(before) ? { ...before } : {};
  for (const [counted, item] of Object.entries(value)) {
    const name = nameOf(counted);
    if (explain.kind === 'map') setOwn(out, name, readInto(explain.element(), undefined, item));
    else if (explain.kind === 'struct') {
      const field = explain.fields().find(({ data }) => data.n === name);
      const isNone = field === undefined || (item === null && field.data.ptr === 1);
      setOwn(out, name, isNone ? withNames(item) : readInto(field.codec, out[name], item));
    } else return withNames(value);
  }
  return out;
}

/** A value that is read as a whole: of equal names the last counts. */
function withNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNames);
  if (!isJsonObject(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [counted, item] of Object.entries(value)) setOwn(out, nameOf(counted), withNames(item));
  return out;
}
