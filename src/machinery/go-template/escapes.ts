import { base64FaultOffset, canonicalBase64 } from '../go-values/index.ts';

/** What means something to scripts or HTML, and what is not printable; DEL counts as printable to Go's `JSEscape`. */
const scriptEscaped = /[\\'"<>&=]|(?!\u007f)\p{C}|(?! )\p{Z}/gu;

/** Text for a string of JavaScript. */
export function escapeScript(text: string): string {
  return text.replace(scriptEscaped, (letter) => {
    if (letter === '\\' || letter === "'" || letter === '"') return `\\${letter}`;
    return `\\u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** The text behind standard base64, line ends left out; the offset of the first byte that is wrong when it is none. */
export function base64Decode(text: string): string | number {
  const plain = canonicalBase64(text);
  return plain === undefined ? base64FaultOffset(text) : Buffer.from(plain, 'base64').toString('utf8');
}
