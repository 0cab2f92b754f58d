import { canonicalBase64 } from '../../machinery/go-values/index.ts';

/** One block of PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const beginning = /-----BEGIN ([^\n-]*)-----[ \t]*\r?\n/g;
const ending = '-----END ';

/**
 * Blocks in order of appearance; text between them, and what is no whole block, is skipped. What ends with another label or has
 * another beginning inside is none, as in Go.
 */
function readPemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  const beginnings = [...text.matchAll(beginning)];
  let end = 0;
  for (const [at, match] of beginnings.entries()) {
    const start = match.index + match[0].length;
    if (end < start) end = text.indexOf(ending, start);
    if (end < 0) break;
    const label = match[1] ?? '';
    const isWhole =
      (beginnings[at + 1]?.index ?? end) >= end && text.startsWith(`${label}-----`, end + ending.length);
    const block = isWhole ? readBlock(label, text.slice(start, end)) : undefined;
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

/** Undefined for a body that is no base64. */
function readBlock(label: string, body: string): PemBlock | undefined {
  const lines = body.split('\n');
  const hasHeaders = lines.some((line) => line.includes(':'));
  const text = lines
    .filter((line) => !line.includes(':'))
    .join('')
    .replace(/\s/g, '');
  const encoded = canonicalBase64(text);
  return encoded === undefined ? undefined : { label, hasHeaders, bytes: Buffer.from(encoded, 'base64') };
}

/** What is wrong with a certificate request in PEM; undefined when it has the form of one. */
export function describeRequestProblem(text: string): string | undefined {
  const [block] = readPemBlocks(text);
  if (block?.label !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  const rest = skipSequence(block.bytes, 'certificateRequest');
  if (typeof rest === 'string') return rest;
  return rest.length === 0 ? undefined : 'asn1: syntax error: trailing data';
}

/** What is wrong with issued certificates in PEM; undefined when nothing is. */
export function describeCertificateProblem(text: string): string | undefined {
  const blocks = readPemBlocks(text);
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const { label, hasHeaders, bytes } of blocks) {
    if (label !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(label)}`;
    }
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    for (let rest = bytes; rest.length > 0; ) {
      const next = skipSequence(rest, 'certificate');
      if (typeof next === 'string') return 'x509: malformed certificate';
      rest = next;
    }
  }
  return undefined;
}

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
function skipSequence(bytes: Buffer, type: string): Buffer | string {
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
