import { base64FaultOffset, canonicalBase64 } from '../go-values/index.ts';
import type { Codec } from './codec.ts';
import { throwMismatch } from './mismatch.ts';

/** A list of bytes, which is read as well as text; undefined for other values. */
function bytesOf(value: unknown): Buffer | undefined {
  if (!Array.isArray(value)) return undefined;
  const isByte = (item: unknown): boolean =>
    item === null || (Number.isInteger(item) && item === (Number(item) & 255));
  return value.every(isByte) ? Buffer.from(value.map(Number)) : undefined;
}

/** Bytes: base64 text in JSON, or a list of numbers. */
export const bytesCodec: Codec = {
  shape: 'scalar',
  decode(value) {
    if (typeof value !== 'string') return bytesOf(value)?.toString('base64') ?? throwMismatch();
    return canonicalBase64(value) ?? throwMismatch();
  },
  zero: () => '',
  explain: {
    kind: 'bytes',
    faultOf: (text) =>
      canonicalBase64(text) === undefined
        ? `illegal base64 data at input byte ${base64FaultOffset(text)}`
        : undefined,
  },
};
