import { readFileSync } from 'node:fs';
import { fileErrorText } from '../../base/index.ts';
import { CtlError, UnknownNameError } from '../errors.ts';

/** What `-o` says. `human` is the default: tables, or a line about what was done. */
export type OutputFormat =
  | { readonly kind: 'human'; readonly isWide: boolean }
  | { readonly kind: 'json' | 'yaml' | 'name' }
  | { readonly kind: 'jsonpath'; readonly template: string; readonly isJson: boolean }
  | { readonly kind: 'go-template'; readonly template: string }
  | { readonly kind: 'custom-columns'; readonly spec: string; readonly isFile: boolean };

/** All formats, as the message about an unknown one lists them. */
export const knownFormats: readonly string[] = [
  'custom-columns',
  'custom-columns-file',
  'go-template',
  'go-template-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'name',
  'template',
  'templatefile',
  'wide',
  'yaml',
];

/** Those that print objects as they are. */
export const objectFormats = knownFormats.filter(
  (name) => name !== 'wide' && !name.startsWith('custom-columns'),
);

/** A format that prints objects as they are. */
export type ObjectFormat = Exclude<OutputFormat, { kind: 'human' | 'custom-columns' }>;

/** Formats of Go templates, and whether their value is a file. */
const goTemplateFormats: ReadonlyMap<string, boolean> = new Map([
  ['go-template', false],
  ['go-template-file', true],
  ['template', false],
  ['templatefile', true],
]);

/** Reads `-o`. @throws CtlError for a format that is none of those allowed, or a template that is missing. */
export function parseOutputFormat(text: string | undefined, allowed = knownFormats): OutputFormat {
  if (text === undefined || text === '') return { kind: 'human', isWide: false };
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const value = equals < 0 ? '' : text.slice(equals + 1);
  if (!allowed.includes(name)) throw unknownFormat(text, allowed);
  if (equals < 0 || name === 'json' || name === 'yaml') {
    if (text === 'json' || text === 'yaml' || text === 'name') return { kind: text };
    if (text === 'wide') return { kind: 'human', isWide: true };
  }
  if (name.startsWith('jsonpath') && knownFormats.includes(name)) {
    if (value === '') throw new CtlError('template format specified but no template given');
    const template = name === 'jsonpath-file' ? readTemplate(value) : value;
    return { kind: 'jsonpath', template, isJson: name === 'jsonpath-as-json' };
  }
  if (goTemplateFormats.has(name)) {
    if (value === '') throw new CtlError('template format specified but no template given');
    return { kind: 'go-template', template: goTemplateFormats.get(name) ? readTemplate(value) : value };
  }
  if (name === 'custom-columns' || name === 'custom-columns-file') {
    if (value === '') throw new CtlError('custom-columns format specified but no custom columns given');
    return { kind: 'custom-columns', spec: value, isFile: name === 'custom-columns-file' };
  }
  throw unknownFormat(text, allowed);
}

/** Reads `-o` of commands that print objects as they are, for programs. @throws CtlError for an unknown format */
export function parseObjectFormat(text: string): ObjectFormat {
  const format = parseOutputFormat(text, objectFormats);
  if (format.kind === 'human' || format.kind === 'custom-columns') throw unknownFormat(text, objectFormats);
  return format;
}

/** What to say of a format that is none of those allowed. */
export function unknownFormat(text: string, allowed: readonly string[] = knownFormats): CtlError {
  return new UnknownNameError(
    `unable to match a printer suitable for the output format ${JSON.stringify(text)}, allowed formats are: ${allowed.join(',')}`,
    text.split('=')[0] ?? '',
    allowed,
  );
}

/** Reads a template's or column's file; `what` names it in the error. @throws CtlError */
export function readTemplate(file: string, what = '--template'): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CtlError(`error reading ${what} ${file}, ${fileErrorText(cause, file)}`, { cause });
  }
}
