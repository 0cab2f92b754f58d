/** Where a run of digits ends, and where what counts of it begins behind its zeros. */
function digitsAt(text: string, at: number): { readonly from: number; readonly to: number } {
  const to = at + (/^\d+/.exec(text.slice(at))?.[0].length ?? 0);
  let from = at;
  while (from < to && text[from] === '0') from += 1;
  return { from, to };
}

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';

/**
 * Orders texts as people do: numbers in them by their value (`pod2` before `pod10`), digits before anything else. Of equal
 * numbers the one with fewer zeros in front comes first.
 */
export function compareTexts(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const isNumber = isDigit(a[i]);
    if (isNumber !== isDigit(b[j])) return isNumber ? -1 : 1;
    if (isNumber) {
      const [left, right] = [digitsAt(a, i), digitsAt(b, j)];
      const byLength = left.to - left.from - (right.to - right.from);
      if (byLength !== 0) return byLength;
      const [x, y] = [a.slice(left.from, left.to), b.slice(right.from, right.to)];
      if (x !== y) return x < y ? -1 : 1;
      if (left.from !== right.from) return left.from - right.from;
      [i, j] = [left.to, right.to];
    } else {
      const [x = '', y = ''] = [a[i], b[j]];
      if (x !== y) return x < y ? -1 : 1;
      i += 1;
      j += 1;
    }
  }
  return a.length - b.length;
}
