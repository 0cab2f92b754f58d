import { isDeepStrictEqual } from 'node:util';
import { parseYaml, writeYaml } from '../../machinery/codec/index.ts';
import { formatJson } from '../printers/json.ts';
import { unknownFormat } from '../printers/output-format.ts';

/** What objects are edited as. */
export type EditFormat = 'yaml' | 'json';

/** What stands above an object that is edited. */
export const editLead = `Please edit the object below. Lines beginning with a '#' will be ignored,
and an empty file will abort the edit. If an error occurs while saving this file will be
reopened with the relevant failures.`;

/** Why an edited file was not taken: one sentence, and perhaps details below it. */
export interface EditReason {
  readonly head: string;
  readonly details: readonly string[];
}

/** Reads `-o`. @throws CtlError for what cannot be edited */
export function readEditFormat(output: string | undefined): EditFormat {
  if (output === undefined || output === '') return 'yaml';
  if (output === 'yaml' || output === 'json') return output;
  throw unknownFormat(output, ['json', 'yaml']);
}

/** One object as it is, several as a list. */
export function joinDocuments(objects: readonly unknown[]): unknown {
  return objects.length === 1 ? objects[0] : { apiVersion: 'v1', kind: 'List', metadata: {}, items: objects };
}

/** The text of what is to be edited, without a header. */
export function formatDocument(value: unknown, format: EditFormat): string {
  return format === 'json' ? formatJson(value) : writeYaml(value);
}

/** Comment lines above the document: what it is, and why it is opened again. */
export function formatHeader(lead: string, reasons: readonly EditReason[]): string {
  const blocks = [lead, ...reasons.map(formatReason)];
  return blocks.map((block) => `${comment(block)}#\n`).join('');
}

function formatReason({ head, details }: EditReason): string {
  return details.length === 0 ? head : [`${head}:`, ...details.map((detail) => `* ${detail}`)].join('\n');
}

function comment(text: string): string {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `# ${line}\n`)
    .join('');
}

/** The text without the comments above its first other line; comments further down may belong to values. */
export function withoutHeader(text: string): string {
  return text.replace(/^(?:[ \t]*#[^\n]*(?:\n|$))+/, '');
}

/** True when two documents say the same, whatever their comments and layout. */
export function isSameContent(one: string, other: string): boolean {
  const values = [one, other].map(parseQuietly);
  return values.includes(undefined)
    ? withoutHeader(one) === withoutHeader(other)
    : isDeepStrictEqual(values[0], values[1]);
}

/** True when nothing is left but blank lines and comments. */
export function isBlank(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#|$)/.test(line));
}

function parseQuietly(text: string): unknown {
  try {
    return parseYaml(Buffer.from(text, 'utf8'));
  } catch {
    return undefined; // it is compared as text; whoever reads it reports what is wrong
  }
}
