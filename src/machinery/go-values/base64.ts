const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;
const lineEnds = /[\r\n]/g;

/** Canonical base64 (padded, no line ends), or undefined when the text is not base64. */
export function canonicalBase64(text: string): string | undefined {
  const plain = text.includes('\n') || text.includes('\r') ? text.replace(lineEnds, '') : text;
  if (plain.length % 4 !== 0 || !alphabet.test(plain)) return undefined;
  if (!plain.endsWith('=')) return plain;
  // Bits behind the last byte may be set in the input; they carry nothing.
  const last = plain.length - 4;
  return plain.slice(0, last) + Buffer.from(plain.slice(last), 'base64').toString('base64');
}

/** Offset of the first byte that cannot be there, as `encoding/base64` counts it. Only for what is not base64. */
export function base64FaultOffset(text: string): number {
  let inQuantum = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\n' || char === '\r') continue;
    if (/[A-Za-z0-9+/]/.test(char)) {
      inQuantum = (inQuantum + 1) % 4;
      continue;
    }
    if (char !== '=' || inQuantum < 2) return index;
    return badPaddingOffset(text, index, inQuantum);
  }
  return text.length - inQuantum;
}

/** The same behind the first `=`, which stands at `index`. */
function badPaddingOffset(text: string, index: number, inQuantum: number): number {
  const next = skipLineEnds(text, index + 1);
  if (inQuantum === 3) return next;
  if (next === text.length) return next;
  return text.charAt(next) === '=' ? skipLineEnds(text, next + 1) : next - 1;
}

function skipLineEnds(text: string, start: number): number {
  let at = start;
  while (text.charAt(at) === '\n' || text.charAt(at) === '\r') at++;
  return at;
}
