const notAscii = /[^\0-\x7f]/g;

/**
 * Code or JSON with its other characters as escapes, which mean the same in names, texts and patterns of JavaScript. The runtime
 * keeps two bytes for each character of a text that has a single one beyond Latin-1.
 */
export function toAscii(code: string): string {
  return code.replace(notAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
