/** What must be known of JSON bytes before they are parsed. */
export interface JsonTraits {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** True when a number has so many digits that a double may not hold it. */
  readonly hasLongNumber: boolean;
  /** True when a number has a fraction or an exponent. */
  readonly hasFraction: boolean;
  /** True when a string has an escape of a surrogate, which may stand alone. */
  readonly hasSurrogateEscape: boolean;
}

const longDigits = 16;

/** One pass over the bytes, without objects. The bytes need not be JSON; then the answer means nothing. */
export function scanJson(bytes: Buffer): JsonTraits {
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let hasLongNumber = false;
  let hasFraction = false;
  let hasSurrogateEscape = false;
  let isInString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (isInString) {
      if (byte === 0x22) isInString = false;
      else if (byte === 0x5c) {
        index++;
        if (bytes[index] === 0x75 && ((bytes[index + 1] ?? 0) | 0x20) === 0x64) hasSurrogateEscape = true;
      }
    } else if (byte === 0x22) {
      isInString = true;
      digits = 0;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      if (depth > deepest) deepest = depth;
      digits = 0;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
      digits = 0;
    } else if (byte !== undefined && byte >= 0x30 && byte <= 0x39) {
      digits++;
      if (digits >= longDigits) hasLongNumber = true;
    } else {
      if (digits > 0 && (byte === 0x2e || byte === 0x65 || byte === 0x45)) hasFraction = true;
      digits = 0;
    }
  }
  return { depth: deepest, hasLongNumber, hasFraction, hasSurrogateEscape };
}
