/**
 * The text that a client means by a header's value. The runtime makes a character of each of its bytes, and they are UTF-8.
 */
export const decodeHeader = (value: string): string =>
  /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString() : value;

/** The value of a header that says a text, with a character for each byte of its UTF-8, as the runtime wants it. */
export const encodeHeader = (text: string): string => Buffer.from(text).toString('latin1');

/** Bytes that names of headers may have (RFC 7230, section 3.2.6); the percent sign begins an escape. */
const otherBytes = /[^A-Za-z0-9!#$&'*+.^_`|~-]/g;

/**
 * A text as a part of a header's name: other bytes percent-encoded. Source: client-go, `headerKeyEscape`, for
 * `Impersonate-Extra-` and `X-Remote-Extra-`.
 */
export const escapeHeaderName = (text: string): string =>
  encodeHeader(text).replace(
    otherBytes,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
