import { readValues } from './read-values.ts';
import { DbusFormatError, type DbusValue } from './values.ts';
import { writeValues } from './write-values.ts';

/** What a message is for, by its number on the bus. */
const messageKinds = { call: 1, reply: 2, error: 3, signal: 4 } as const;

/** One message of the bus. */
export interface DbusMessage {
  readonly kind: keyof typeof messageKinds;
  readonly serial: number;
  readonly path?: string | undefined;
  readonly interface?: string | undefined;
  readonly member?: string | undefined;
  readonly errorName?: string | undefined;
  /** Serial of the call that is answered. */
  readonly replyTo?: number | undefined;
  readonly destination?: string | undefined;
  /** Unique name of who sent it, as the bus has set it: it cannot be forged. */
  readonly sender?: string | undefined;
  readonly signature?: string | undefined;
  readonly body: readonly DbusValue[];
}

/** Fields of a header by their number and type (D-Bus specification, "Header Fields"). */
const headerFields = [
  { code: 1, name: 'path', type: 'o' },
  { code: 2, name: 'interface', type: 's' },
  { code: 3, name: 'member', type: 's' },
  { code: 4, name: 'errorName', type: 's' },
  { code: 5, name: 'replyTo', type: 'u' },
  { code: 6, name: 'destination', type: 's' },
  { code: 7, name: 'sender', type: 's' },
  { code: 8, name: 'signature', type: 'g' },
] as const;

const fixedHeader = 'yyyyuu';
const headerSignature = `${fixedHeader}a(yv)`;
const fixedBytes = 16;
/** Nothing that is asked for comes near. */
const maxMessageBytes = 1024 * 1024;
const littleEndian = 0x6c;
const bigEndian = 0x42;

/** Bytes of a message. @throws DbusFormatError */
export function encodeMessage(message: DbusMessage): Buffer {
  const body = writeValues(message.signature ?? '', message.body);
  const fields = headerFields.flatMap(({ code, name, type }) => {
    const value = message[name];
    return value === undefined || value === '' ? [] : [[code, { signature: type, value }]];
  });
  const fixed = [littleEndian, messageKinds[message.kind], 0, 1, body.length, message.serial];
  const header = writeValues(headerSignature, [...fixed, fields]);
  return Buffer.concat([header, Buffer.alloc(padding(header.length)), body]);
}

/** The first message in `bytes` and how many of them it takes; undefined while bytes are missing. @throws DbusFormatError */
export function decodeMessage(
  bytes: Buffer,
): { readonly message: DbusMessage; readonly sizeBytes: number } | undefined {
  if (bytes.length < fixedBytes) return undefined;
  if (bytes[0] !== littleEndian && bytes[0] !== bigEndian) throw new DbusFormatError('no message of a bus');
  const isLittleEndian = bytes[0] === littleEndian;
  const order = { isLittleEndian };
  const numbers = readValues(`${fixedHeader}u`, bytes, order).map(Number);
  const [, kindNumber = 0, , , bodyBytes = 0, serial = 0, fieldsBytes = 0] = numbers;
  const headerBytes = fixedBytes + fieldsBytes;
  const bodyAt = headerBytes + padding(headerBytes);
  const sizeBytes = bodyAt + bodyBytes;
  if (sizeBytes > maxMessageBytes) throw new DbusFormatError(`a message of ${sizeBytes} bytes is too large`);
  if (bytes.length < sizeBytes) return undefined;
  const fields = readFields(readValues(headerSignature, bytes.subarray(0, headerBytes), order).at(-1));
  const body = readValues(fields.signature ?? '', bytes.subarray(bodyAt, sizeBytes), order);
  const kind = kindOf(kindNumber);
  return { message: { ...fields, kind, serial, body }, sizeBytes };
}

type Fields = { -readonly [K in (typeof headerFields)[number]['name']]?: DbusMessage[K] };

function readFields(list: DbusValue | undefined): Fields {
  const fields: Record<string, unknown> = {};
  for (const entry of Array.isArray(list) ? (list as readonly DbusValue[]) : []) {
    const [code, variant] = entry as readonly [number, { signature: string; value: DbusValue }]; // `a(yv)`
    const field = headerFields.find((each) => each.code === code);
    if (field === undefined) continue;
    if (variant.signature !== field.type) throw new DbusFormatError(`bad ${field.name} in a header`);
    fields[field.name] = variant.value;
  }
  return fields; // types were compared
}

/** Kinds that nobody knows are to be passed over: they count as signals without a name. */
function kindOf(number: number): DbusMessage['kind'] {
  const known = Object.entries(messageKinds).find(([, each]) => each === number);
  return (known?.[0] as DbusMessage['kind'] | undefined) ?? 'signal'; // a name of that table
}

const padding = (size: number): number => (8 - (size % 8)) % 8;
