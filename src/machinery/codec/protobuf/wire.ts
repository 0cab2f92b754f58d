/** How a value's bytes are delimited (Protobuf encoding guide, "message structure"). */
export const wireVarint = 0;
export const wireFixed64 = 1;
export const wireBytes = 2;
export const wireGroupStart = 3;
export const wireGroupEnd = 4;
export const wireFixed32 = 5;

/** Wire types of values that the API has. */
export type WireType = typeof wireVarint | typeof wireFixed64 | typeof wireBytes;

/** The number that precedes a value. */
export function makeTag(fieldNumber: number, wire: WireType): number {
  return fieldNumber * 8 + wire;
}
