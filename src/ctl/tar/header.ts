/** Size of a header, and what contents are filled up to. */
export const blockBytes = 512;

/** Type flags that have a meaning here. Source: POSIX.1-2017, pax; the letters L and K are GNU's. */
export const entryTypes = {
  file: '0',
  hardLink: '1',
  symbolicLink: '2',
  directory: '5',
  longName: 'L',
  longLink: 'K',
  extended: 'x',
  globalExtended: 'g',
} as const;

/** What a header says of an entry. */
export interface TarHeader {
  readonly name: string;
  /** Permissions. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly sizeBytes: number;
  /** Whole seconds since 1970. */
  readonly modifiedAtSeconds: number;
  readonly type: string;
  readonly linkName: string;
}

const nameBytes = 100;
const checksumAt = 148;
const checksumBytes = 8;

/** Bytes of a header, with those of its names in front where they are too long for it. */
export function encodeHeader(header: TarHeader): Buffer {
  const parts: Buffer[] = [];
  if (Buffer.byteLength(header.name) > nameBytes) parts.push(longText(entryTypes.longName, header.name));
  if (Buffer.byteLength(header.linkName) > nameBytes) {
    parts.push(longText(entryTypes.longLink, header.linkName));
  }
  return Buffer.concat([...parts, encodeBlock(header)]);
}

/** What fills contents up to whole blocks. */
export function padding(sizeBytes: number): Buffer {
  return Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
}

/** @returns undefined for a block of zeros, which ends an archive. @throws Error for what is no header */
export function decodeHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (readNumber(block, checksumAt, checksumBytes) !== checksum(block)) {
    throw new Error('archive/tar: invalid tar header');
  }
  const isUstar = block.toString('latin1', 257, 262) === 'ustar';
  // GNU's archives have times in that place.
  const prefix = isUstar && block[263] === 0x30 ? readText(block, 345, 155) : '';
  const name = readText(block, 0, nameBytes);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    mode: readNumber(block, 100, 8) & 0o7777,
    uid: readNumber(block, 108, 8),
    gid: readNumber(block, 116, 8),
    sizeBytes: readNumber(block, 124, 12),
    modifiedAtSeconds: readNumber(block, 136, 12),
    type: block[156] === 0 ? entryTypes.file : String.fromCharCode(block[156] ?? 0),
    linkName: readText(block, 157, nameBytes),
  };
}

function encodeBlock(header: TarHeader): Buffer {
  const block = Buffer.alloc(blockBytes);
  Buffer.from(header.name, 'utf8').copy(block, 0, 0, nameBytes);
  writeNumber(block, header.mode, 100, 8);
  writeNumber(block, header.uid, 108, 8);
  writeNumber(block, header.gid, 116, 8);
  writeNumber(block, header.sizeBytes, 124, 12);
  writeNumber(block, Math.max(0, header.modifiedAtSeconds), 136, 12);
  block.write(header.type, 156, 'latin1');
  Buffer.from(header.linkName, 'utf8').copy(block, 157, 0, nameBytes);
  block.write('ustar  \0', 257, 'latin1'); // as GNU writes it: names beyond this block follow its rules
  writeNumber(block, checksum(block), checksumAt, checksumBytes - 1);
  return block;
}

/** An entry whose content is a name of the next one. */
function longText(type: string, text: string): Buffer {
  const content = Buffer.from(`${text}\0`, 'utf8');
  const head = encodeBlock({
    name: '././@LongLink',
    mode: 0,
    uid: 0,
    gid: 0,
    sizeBytes: content.length,
    modifiedAtSeconds: 0,
    type,
    linkName: '',
  });
  return Buffer.concat([head, content, padding(content.length)]);
}

/** Sum of all bytes, those of the sum itself taken as blanks. */
function checksum(block: Buffer): number {
  let sum = 0;
  for (let at = 0; at < blockBytes; at++) {
    const isOwn = at >= checksumAt && at < checksumAt + checksumBytes;
    sum += isOwn ? 0x20 : (block[at] ?? 0);
  }
  return sum;
}

function readText(block: Buffer, at: number, sizeBytes: number): string {
  const field = block.subarray(at, at + sizeBytes);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? sizeBytes : end);
}

/** Octal digits, or binary where the first bit is set. */
function readNumber(block: Buffer, at: number, sizeBytes: number): number {
  const field = block.subarray(at, at + sizeBytes);
  if (((field[0] ?? 0) & 0x80) === 0) {
    const text = field
      .toString('latin1')
      .replace(/[\0 ]+$/, '')
      .trim();
    return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : Number.NaN;
  }
  let value = (field[0] ?? 0) & 0x7f;
  for (const byte of field.subarray(1)) value = value * 256 + byte;
  return value;
}

function writeNumber(block: Buffer, value: number, at: number, sizeBytes: number): void {
  const digits = value.toString(8);
  if (digits.length < sizeBytes) {
    block.write(`${digits.padStart(sizeBytes - 1, '0')}\0`, at, 'latin1');
    return;
  }
  for (let index = sizeBytes - 1, rest = value; index > 0; index--) {
    block[at + index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  block[at] = 0x80;
}
