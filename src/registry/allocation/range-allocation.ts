import { Bitmap } from './bitmap.ts';

/** The relevant part of the stored object: which numbers of which range are taken. */
export interface RangeAllocation {
  /** The range as text; numbers count from its first. */
  readonly range: string;
  readonly bits: Bitmap;
}

/** The stored object, its version left open for the store. Source: release 1.20, `core/v1.RangeAllocation`. */
export function encodeRangeAllocation({ range, bits }: RangeAllocation): Buffer {
  return Buffer.from(
    JSON.stringify({
      kind: 'RangeAllocation',
      apiVersion: 'v1',
      metadata: { resourceVersion: '', creationTimestamp: null },
      range,
      data: bits.toBytes().toString('base64'),
    }),
  );
}

/** @throws TypeError when the bytes are no allocation of numbers. */
export function decodeRangeAllocation(bytes: Buffer, size: number): RangeAllocation {
  const { range, data } = JSON.parse(bytes.toString()) as { range?: unknown; data?: unknown }; // null has no fields and throws, as it should
  if (typeof range !== 'string' || (data !== undefined && data !== null && typeof data !== 'string')) {
    throw new TypeError('range allocation: expected a range and base64 data');
  }
  return { range, bits: new Bitmap(size, Buffer.from(data ?? '', 'base64')) };
}
