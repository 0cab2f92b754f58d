import { base64FaultOffset, canonicalBase64 } from '../go-values/index.ts';
import type { Codec } from './codec.ts';
import { throwMismatch } from './mismatch.ts';

/** Bytes: base64 text in JSON. */
export const bytesCodec: Codec = {
  shape: 'scalar',
  decode(value) {
    if (typeof value !== 'string') return throwMismatch();
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
