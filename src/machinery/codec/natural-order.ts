const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/**
 * Order of keys in YAML of go-yaml 2: other characters before letters, numbers by their value
 * (`a2` before `a10`).
 */
export function compareNaturally(left: string, right: string): number {
  const at = firstDifference(left, right);
  const [x, y] = [left.codePointAt(at), right.codePointAt(at)];
  if (x === undefined || y === undefined) return left.length - right.length;
  const [isLetterX, isLetterY] = [isLetter(x), isLetter(y)];
  if (isLetterX && isLetterY) return x - y;
  if (isLetterX !== isLetterY) return isLetterY ? -1 : 1;
  // Digits before the difference belong to both numbers; they tell only where a zero follows them.
  const head = (x === zero || y === zero) && endsInNumber(left, at) ? 1 : 0;
  const [m, n] = [readNumber(left, at, head), readNumber(right, at, head)];
  if (m.value !== n.value) return m.value < n.value ? -1 : 1;
  return m.length - n.length || x - y;
}

const zero = 0x30;

function isLetter(code: number): boolean {
  if (code >= 0x80) return letter.test(String.fromCodePoint(code));
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(code: number): boolean {
  if (code >= 0x80) return digit.test(String.fromCodePoint(code));
  return code >= zero && code <= 0x39;
}

/** Where the texts differ, or the shorter one ends; never inside a surrogate pair. */
function firstDifference(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let at = 0;
  while (at < end && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  return isHighSurrogate(left.charCodeAt(at - 1)) ? at - 1 : at;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether the digits just before `end`, if any, are more than zeros. */
function endsInNumber(text: string, end: number): boolean {
  for (let at = end - 1; at >= 0 && isDigit(text.charCodeAt(at)); at--) {
    if (text.charCodeAt(at) !== zero) return true;
  }
  return false;
}

/** The number at `start`, its digits read on from `head`. */
function readNumber(text: string, start: number, head: number): { value: number; length: number } {
  let value = head;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) break;
    value = value * 10 + code - zero;
  }
  return { value, length: at - start };
}
