/**
 * The text that a client means by a header's value. The runtime makes a character of each of its bytes, and they are UTF-8.
 */
export const decodeHeader = (value: string): string =>
  /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString() : value;

/** The value of a header that says a text, with a character for each byte of its UTF-8, as the runtime wants it. */
export const encodeHeader = (text: string): string => Buffer.from(text).toString('latin1');
