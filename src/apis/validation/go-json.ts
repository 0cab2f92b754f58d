import { findJsonFault, jsonKind } from '../../machinery/schema/index.ts';

/** What a piece of JSON is decoded into: the JSON kind that fits, and the Go type that messages name. */
export type GoShape =
  | { readonly json: 'string' | 'number' | 'bool' | 'any'; readonly go: string }
  | { readonly json: 'array'; readonly go: string; readonly item: GoShape }
  | { readonly json: 'object'; readonly go: string; readonly fields: Readonly<Record<string, GoShape>> };

/** A text that Go calls `go`. */
export const goText = (go = 'string'): GoShape => ({ json: 'string', go });

/** A list of values of one shape. */
export const goListOf = (item: GoShape): GoShape => ({ json: 'array', go: `[]${item.go}`, item });

/** A decoded text, or what release 1.20 (Go's encoding/json) says is wrong with it. */
export interface DecodedText<T> {
  readonly value?: T | undefined;
  readonly problem?: string | undefined;
}

/**
 * Decodes JSON that an annotation holds. Fields are found whatever their case and get names in camel case; others are left out.
 * `null` and wrong values count as absent, of which the first is the problem. `T` is what the shape says, any field being absent.
 */
export function decodeGoJson<T>(text: string, shape: GoShape): DecodedText<T> {
  const fault = findJsonFault(Buffer.from(text));
  if (fault !== undefined) return { problem: fault };
  const problems: string[] = [];
  const value = decode(JSON.parse(text), shape, '', problems) as T | undefined; // the shape is that of `T`
  const [problem] = problems;
  return problem === undefined ? { value } : { problem };
}

/** `place` is the field of a structure in which the value stands; empty outside of any. */
function decode(value: unknown, shape: GoShape, place: string, problems: string[]): unknown {
  if (value === null || value === undefined) return undefined;
  const kind = jsonKind(value);
  if (shape.json !== 'any' && kind !== shape.json) {
    const target = place === '' ? 'value' : `struct field ${place}`;
    problems.push(`json: cannot unmarshal ${kind} into Go ${target} of type ${shape.go}`);
    return undefined;
  }
  if (shape.json === 'array' && Array.isArray(value)) {
    return value.map((item) => decode(item, shape.item, place, problems) ?? {});
  }
  return shape.json === 'object' ? decodeFields(Object.entries(value), shape, place, problems) : value;
}

function decodeFields(
  members: readonly (readonly [string, unknown])[],
  shape: GoShape & { readonly json: 'object' },
  place: string,
  problems: string[],
): Record<string, unknown> {
  const names = new Map(Object.keys(shape.fields).map((name) => [name.toLowerCase(), name]));
  const decoded: Record<string, unknown> = {};
  // Go names the innermost structure, and all fields on the way to it.
  const way = place.slice(place.indexOf('.') + 1);
  for (const [key, member] of members) {
    const name = names.get(key.toLowerCase());
    const field = name === undefined ? undefined : shape.fields[name];
    if (name === undefined || field === undefined) continue;
    const path = [shape.go.slice(shape.go.indexOf('.') + 1), way, name].filter((part) => part !== '');
    decoded[name.charAt(0).toLowerCase() + name.slice(1)] = decode(member, field, path.join('.'), problems);
  }
  return decoded;
}
