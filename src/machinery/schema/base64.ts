import { base64FaultOffset, canonicalBase64 } from '../go-values/index.ts';
import { type Codec, Reason } from './codec.ts';
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
    kind: 'leaf',
    check(value) {
      if (typeof value !== 'string') {
        throw new Reason('base64Codec: invalid input', { derails: true });
      }
      if (canonicalBase64(value) !== undefined) return;
      const message = `decode base64: illegal base64 data at input byte ${base64FaultOffset(value)}`;
      throw new Reason(message, { derails: false });
    },
  },
};
