/** Wording shared by all format checks. Clients match these texts, so they are apimachinery's. */

/** `must be no more than 63 characters`; apimachinery counts bytes. */
export const maxLengthMessage = (maxBytes: number): string => `must be no more than ${maxBytes} characters`;

/** `must be between 1 and 65535, inclusive`. */
export const rangeMessage = (min: number, max: number): string =>
  `must be between ${min} and ${max}, inclusive`;

/** Text for an empty value. */
export const emptyMessage = 'must be non-empty';

/** The rule in words, examples, then the expression that decides. */
export function regexMessage(rule: string, source: string, ...examples: string[]): string {
  if (examples.length === 0) return `${rule} (regex used for validation is '${source}')`;
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${quoted}regex used for validation is '${source}')`;
}

/** True when `text` is longer than `maxBytes` in UTF-8. */
export function isLongerThan(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  // A UTF-16 unit is at most three bytes in UTF-8.
  return text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes;
}
