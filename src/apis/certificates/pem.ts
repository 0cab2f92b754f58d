import { skipSequence } from './der.ts';

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
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return { label, hasHeaders, bytes: Buffer.from(text, 'base64') };
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
