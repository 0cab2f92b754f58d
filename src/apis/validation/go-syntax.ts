import { quoteGo, VerbatimValue } from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import { formatGoTime, parseQuantity } from '../../machinery/values/index.ts';

/**
 * release 1.20 shows lists, maps and structures in messages as Go source text (`%#v`). These functions render
 * the shapes that clients see in full; `renderGo` (`go-structures.ts`) renders any catalog type.
 */
const verbatim = (text: string): VerbatimValue => new VerbatimValue(text);

/**
 * `[]string{"a", "b"}`, or `[]string(nil)` for an absent list; texts may have a type of their own. An empty list counts as
 * absent, as after decoding.
 */
export function goStringList(list: readonly string[] | null | undefined, type = 'string'): VerbatimValue {
  return verbatim(goList(type, list?.map(quoteGo)));
}

/**
 * The labels of an object: `map[string]string{"a":"x", "b":"y"}` with sorted keys, `map[string]string(nil)` for none. An
 * empty map that a request had is told from none.
 */
export function goLabels(metadata: {
  readonly labels?: Readonly<Record<string, string>> | undefined;
}): VerbatimValue {
  const labels = metadata.labels ?? (wasGivenEmpty(metadata, 'labels') ? {} : undefined);
  return verbatim(
    goMap('string', labels && Object.entries(labels).map(([key, value]) => [key, quoteGo(value)])),
  );
}

/** Text of a slice of `type` with rendered items. */
export function goList(type: string, items: readonly string[] | null | undefined): string {
  return items && items.length > 0 ? `[]${type}{${items.join(', ')}}` : `[]${type}(nil)`;
}

/** Text of a map from strings to `type` with rendered values. */
export function goMap(
  type: string,
  entries: readonly (readonly [string, string])[] | null | undefined,
): string {
  if (!entries) return `map[string]${type}(nil)`;
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]${type}{${sorted.map(([key, value]) => `${quoteGo(key)}:${value}`).join(', ')}}`;
}

/** Text of a structure from field names and rendered values. */
export function goStruct(type: string, fields: readonly (readonly [string, string])[]): string {
  return `${type}{${fields.map(([name, value]) => `${name}:${value}`).join(', ')}}`;
}

/** Text of bytes; none count as absent. */
export const goBytes = (bytes: Uint8Array): string =>
  bytes.length === 0
    ? '[]uint8(nil)'
    : `[]uint8{${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;

/**
 * Text of a pointer inside a structure. Release 1.20 prints a memory address that no client can know; a fixed
 * one stands for it.
 */
export const goPointer = (type: string, isSet: boolean): string =>
  `(*${type})(${isSet ? '0xc000000000' : 'nil'})`;

/** A time (RFC 3339) as release 1.20 prints it: `2020-01-02 03:04:05 +0000 UTC`; absent is the zero time. */
export const goTime = (time: string | null | undefined): VerbatimValue =>
  verbatim(formatGoTime(time || '0001-01-01T00:00:00Z'));

/** A quantity as release 1.20 shows it where it forgets to format it. `text` must be a quantity. */
export function goQuantity(text: string): VerbatimValue {
  const { unscaled, scale, format } = parseQuantity(text);
  return verbatim(
    goStruct('resource.Quantity', [
      ['i', `resource.int64Amount{value:${unscaled}, scale:${scale}}`],
      ['d', 'resource.infDecAmount{Dec:(*inf.Dec)(nil)}'],
      ['s', quoteGo(text)],
      ['Format', quoteGo(format)],
    ]),
  );
}
