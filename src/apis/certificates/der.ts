/** What a DER value begins with. */
interface DerHeader {
  readonly class: number;
  readonly tag: number;
  readonly isCompound: boolean;
  /** Bytes of the content. */
  readonly length: number;
  /** Where the content begins. */
  readonly offset: number;
}

const sequenceTag = 16;
const maxLength = 2 ** 23;

/**
 * What follows the DER sequence with which bytes begin, or as text what is wrong with it, in the words of Go's parser. What is
 * inside is not looked at.
 *
 * @param type Go's name for what is expected
 */
export function skipSequence(bytes: Buffer, type: string): Buffer | string {
  const header = readHeader(bytes);
  if (typeof header === 'string') return `asn1: ${header}`;
  const { offset, length } = header;
  if (header.class !== 0 || header.tag !== sequenceTag || !header.isCompound) {
    const detail = `(${sequenceTag} vs ${show(header)}) ${noParameters} ${type} @${offset}`;
    return `asn1: structure error: tags don't match ${detail}`;
  }
  if (offset + length > bytes.length) return 'asn1: syntax error: data truncated';
  return bytes.subarray(offset + length);
}

const show = ({ class: group, tag, length, isCompound }: DerHeader): string =>
  `{class:${group} tag:${tag} length:${length} isCompound:${isCompound}}`;
const noParameters =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

const truncated = 'syntax error: truncated tag or length';

/** Reads a header; answers what is wrong with it as text. Tags of several bytes stand for none that is expected. */
function readHeader(bytes: Buffer): DerHeader | string {
  const [first, second] = bytes;
  if (first === undefined) return 'syntax error: sequence truncated';
  if (second === undefined) return truncated;
  const type = { class: first >> 6, tag: first & 0x1f, isCompound: (first & 0x20) !== 0 };
  if (second < 0x80) return { ...type, length: second, offset: 2 };
  const count = second & 0x7f;
  if (count === 0) return 'syntax error: indefinite length found (not DER)';
  let length = 0;
  for (let at = 2; at < 2 + count; at++) {
    const byte = bytes[at];
    if (byte === undefined) return truncated;
    if (length >= maxLength) return 'structure error: length too large';
    length = length * 256 + byte;
    if (length === 0) return 'structure error: superfluous leading zeros in length';
  }
  if (length < 0x80) return 'structure error: non-minimal length';
  return { ...type, length, offset: 2 + count };
}
