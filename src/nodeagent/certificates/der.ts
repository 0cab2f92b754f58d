/** One value of the distinguished encoding rules (ITU-T X.690) with its tag. */
export function derValue(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

/** SEQUENCE (X.690, section 8.9) of values that are encoded already. */
export const derSequence = (...parts: readonly Uint8Array[]): Buffer => derValue(0x30, ...parts);
/** SET (X.690, section 8.11). The caller sorts the values: they are written in the order given. */
export const derSet = (...parts: readonly Uint8Array[]): Buffer => derValue(0x31, ...parts);
/** OCTET STRING (X.690, section 8.7). */
export const derOctets = (bytes: Uint8Array): Buffer => derValue(0x04, bytes);
/** UTF8String (X.690, section 8.23). */
export const derUtf8 = (text: string): Buffer => derValue(0x0c, Buffer.from(text, 'utf8'));
/** BOOLEAN `true` (X.690, section 11.1). */
export const derTrue: Buffer = derValue(0x01, Buffer.from([0xff]));
/** NULL (X.690, section 8.8). */
export const derNull: Buffer = derValue(0x05);

/** Bits, the first ones first; `unusedBits` of the last byte do not count. */
export const derBits = (bytes: Uint8Array, unusedBits = 0): Buffer =>
  derValue(0x03, Buffer.from([unusedBits]), bytes);

/** A whole number from its bytes, the highest first; never negative. */
export function derInteger(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const isNegative = ((bytes[start] ?? 0) & 0x80) !== 0;
  return derValue(0x02, Buffer.from(isNegative ? [0] : []), bytes.subarray(start));
}

/** An object identifier such as `2.5.4.3`. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return derValue(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A time with whole seconds: two digits of the year before 2050, four from then on (RFC 5280, section 4.1.2.5). */
export function derTime(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  const isShort = digits < '2050';
  return derValue(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits, 'latin1'));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(128 + (rest % 128));
  }
  return bytes;
}
