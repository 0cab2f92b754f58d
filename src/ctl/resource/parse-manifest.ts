import { asJsonObject } from '../../base/index.ts';
import type { YamlPath } from '../../machinery/codec/index.ts';
import { CtlError } from '../errors.ts';
import { jsonError, type ManifestSyntaxError, type UnreadText, yamlError } from './syntax-error.ts';

/** One document of a file, not yet checked: an object, or all items of a list. */
export interface ManifestDocument {
  readonly values: readonly unknown[];
  /** Where each value stands in its document: `['items', 0]` in a list. */
  readonly paths: readonly YamlPath[];
  /** File, URL or `STDIN`, as messages name it. */
  readonly source: string;
  readonly text: string;
  /** Where the text begins in the file, from 1. */
  readonly line: number;
  readonly column: number;
  /** Whether a program made the text, so that nobody knows its lines. */
  readonly isMade: boolean;
}

/** Which value of which document an object is. */
export interface ManifestOrigin {
  readonly document: ManifestDocument;
  readonly path: YamlPath;
}

/** Documents beyond this number in one file are refused. */
const maxDocuments = 100_000;
/** A line that is neither blank nor a comment. */
const hasContent = /^[^\S\n]*[^\s#]/m;

/** How a file is read. */
export interface ManifestReading {
  /** A program made the text. */
  readonly isMade?: boolean;
  /** As the client of release 1.20 does: of a file that cannot be read to its end, what stands before counts, and errors have its words. */
  readonly isRelease?: boolean;
}

/**
 * Splits a file into its documents: YAML separated by `---` lines, or JSON objects one after another. Empty documents
 * are left out; the items of lists stand for themselves.
 *
 * @throws CtlError that names the source when a document cannot be read.
 */
export async function* parseManifest(
  text: string,
  source: string,
  { isMade = false, isRelease = false }: ManifestReading = {},
): AsyncGenerator<ManifestDocument> {
  const { documents, error } = await readDocuments(text, { source, isRelease: isRelease || isMade });
  if (error !== undefined && !isRelease) throw error;
  for (const { value, text: own, line, column } of documents) {
    const items = flattenList(value, []);
    yield {
      values: items.map((item) => item.value),
      paths: items.map((item) => item.path),
      source,
      text: own,
      line,
      column,
      isMade,
    };
  }
  if (error !== undefined) throw error;
}

/** One document of a file, and where it stands in it. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly format: 'json' | 'yaml';
  readonly text: string;
  /** Line of the file on which the text begins, from 1. */
  readonly line: number;
  /** Column of that line, from 1. */
  readonly column: number;
}

/** As `parseManifest`, but lists stay what they are. @throws CtlError */
export async function parseDocuments(text: string, source: string): Promise<ParsedDocument[]> {
  const { documents, error } = await readDocuments(text, { source, isRelease: false });
  if (error !== undefined) throw error;
  return documents;
}

/** The documents of a file, up to one that cannot be read. */
interface ReadDocuments {
  readonly documents: ParsedDocument[];
  readonly error?: ManifestSyntaxError;
}

/** Where a text comes from, and in whose words its errors are. */
type Origin = Pick<UnreadText, 'source' | 'isRelease'>;

async function readDocuments(text: string, origin: Origin): Promise<ReadDocuments> {
  const isJson = /^\s*[{[]/.test(text);
  const { documents, ...end } = await (isJson
    ? parseJsonStream(text, origin)
    : parseYamlStream(text, origin));
  return { documents: documents.filter(({ value }) => value !== null && value !== undefined), ...end };
}

async function parseJsonStream(text: string, origin: Origin): Promise<ReadDocuments> {
  const parse = await jsonParserFor(text);
  try {
    return { documents: [{ value: parse(text), format: 'json', text, line: 1, column: 1 }] };
  } catch {
    // Several values, or no JSON: read one value after another.
  }
  const documents: ParsedDocument[] = [];
  let line = 1;
  let column = 1;
  const pass = (part: string): void => {
    line += countLines(part);
    column = part.includes('\n') ? part.length - part.lastIndexOf('\n') : column + part.length;
  };
  let rest = text;
  for (;;) {
    const start = rest.length - rest.trimStart().length;
    pass(rest.slice(0, start));
    rest = rest.slice(start);
    if (rest === '') return { documents };
    const own = rest.slice(0, endOfValue(rest));
    try {
      documents.push({ value: parse(own), format: 'json', text: own, line, column });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { documents, error: jsonError({ ...origin, text: own, line, column }) };
    }
    pass(own);
    rest = rest.slice(own.length);
    checkCount(documents.length, origin);
  }
}

/** Numbers that a double does not hold keep their digits; the reader that does so is loaded where it is needed. */
async function jsonParserFor(text: string): Promise<(text: string) => unknown> {
  if (!/\d{16}|[eE]\+?\d{3}/.test(text)) return (part) => JSON.parse(part);
  const { parseJson } = await import('../../machinery/codec/index.ts');
  return (part) => parseJson(Buffer.from(part, 'utf8'));
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Where the first JSON object or list of a text ends. */
function endOfValue(text: string): number {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInText) {
      if (character === '\\') index++;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth <= 0) return index + 1;
  }
  return text.length;
}

async function parseYamlStream(text: string, origin: Origin): Promise<ReadDocuments> {
  const { BodySyntaxError, parseYaml } = await import('../../machinery/codec/index.ts');
  // With the separators themselves at the odd places.
  const parts = text.split(/^(---(?:[ \t].*)?\r?\n?)/m);
  checkCount((parts.length + 1) / 2, origin);
  const documents: ParsedDocument[] = [];
  let next = 1;
  for (const [index, part] of parts.entries()) {
    const line = next;
    next += countLines(part);
    if (index % 2 === 1 || !hasContent.test(part)) continue;
    try {
      const value = parseYaml(Buffer.from(part, 'utf8'));
      documents.push({ value, format: 'yaml', text: part, line, column: 1 });
    } catch (error) {
      if (!(error instanceof BodySyntaxError)) throw error;
      return { documents, error: yamlError({ ...origin, text: part, line, column: 1 }, error) };
    }
  }
  return { documents };
}

function checkCount(count: number, { source }: Origin): void {
  if (count > maxDocuments)
    throw new CtlError(`error parsing ${source}: more than ${maxDocuments} documents`);
}

/** `List` and `PodList` stand for their items. */
function flattenList(value: unknown, path: YamlPath): readonly { value: unknown; path: YamlPath }[] {
  const { kind, items } = asJsonObject(value);
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)
    ? items.flatMap((item: unknown, index) => flattenList(item, [...path, 'items', index]))
    : [{ value, path }];
}
