/** What the envelope of an object in Protobuf says. Read without the project's own reader. */
export interface WireEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
  readonly contentEncoding: string;
  readonly contentType: string;
}

const magic = '6b387300';

/** Takes an envelope apart. @throws Error for anything else */
export function readEnvelope(bytes: Buffer): WireEnvelope {
  if (bytes.subarray(0, 4).toString('hex') !== magic)
    throw new Error(`no envelope: ${bytes.toString('hex')}`);
  const fields = readFields(bytes.subarray(4));
  const typeMeta = readFields(fields.get(1) ?? Buffer.alloc(0));
  return {
    apiVersion: String(typeMeta.get(1) ?? ''),
    kind: String(typeMeta.get(2) ?? ''),
    raw: fields.get(2) ?? Buffer.alloc(0),
    contentEncoding: String(fields.get(3) ?? ''),
    contentType: String(fields.get(4) ?? ''),
  };
}

/** An envelope of a message. All is short, so that one byte says the length, but for the message. */
export function wrap(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const text = (number: number, value: string) =>
    Buffer.concat([Buffer.from([number * 8 + 2, value.length]), Buffer.from(value)]);
  const typeMeta = Buffer.concat([text(1, apiVersion), text(2, kind)]);
  const head = [Buffer.from(magic, 'hex'), Buffer.from([0x0a, typeMeta.length]), typeMeta];
  return Buffer.concat([...head, Buffer.from([0x12, ...varint(raw.length)]), raw]);
}

/** An event of a watch. */
export interface WireFrame {
  readonly type: string;
  readonly object: WireEnvelope;
}

/** Events of a watch in Protobuf, each behind its length in four bytes; what is not whole yet is left out. */
export function readFrames(bytes: Buffer): WireFrame[] {
  const frames: WireFrame[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    frames.push(readEvent(bytes.subarray(at + 4, end)));
    at = end;
  }
  return frames;
}

/** One event without its length. */
export function readEvent(bytes: Buffer): WireFrame {
  const event = readFields(bytes);
  const extension = readFields(event.get(2) ?? Buffer.alloc(0));
  return { type: String(event.get(1)), object: readEnvelope(extension.get(1) ?? Buffer.alloc(0)) };
}

/** Fields with a length, by number. */
function readFields(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at++);
    if ((tag & 7) !== 2) throw new Error(`field ${tag >> 3} has wire type ${tag & 7}`);
    let length = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(at++);
      length += (byte & 127) * factor;
      if (byte < 128) break;
    }
    if (at + length > bytes.length) throw new Error(`field ${tag >> 3} ends behind its message`);
    fields.set(tag >> 3, bytes.subarray(at, at + length));
    at += length;
  }
  return fields;
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
