import { CtlError } from '../errors.ts';

/** One object of a file, not yet checked. */
export interface ManifestDocument {
  readonly value: unknown;
  /** File, URL or `STDIN`, as messages name it. */
  readonly source: string;
}

/** Documents beyond this number in one file are refused. */
const maxDocuments = 100_000;

/**
 * Splits a file into its documents: YAML separated by `---` lines, or JSON objects one after another. Empty documents
 * are left out; the items of lists stand for themselves.
 *
 * @throws CtlError that names the source when a document cannot be read.
 */
export async function parseManifest(text: string, source: string): Promise<ManifestDocument[]> {
  const values = await parseDocuments(text, source);
  return values.flatMap(flattenList).map((value) => ({ value, source }));
}

/** As `parseManifest`, but lists stay what they are. @throws CtlError */
export async function parseDocuments(text: string, source: string): Promise<unknown[]> {
  const isJson = /^\s*[{[]/.test(text);
  const values = isJson ? parseJsonStream(text, source) : await parseYamlStream(text, source);
  return values.filter((value) => value !== null && value !== undefined);
}

function parseJsonStream(text: string, source: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    // Several values, or no JSON: read one value after another.
  }
  const values: unknown[] = [];
  for (let rest = text.trimStart(); rest !== ''; ) {
    const end = endOfValue(rest);
    try {
      values.push(JSON.parse(rest.slice(0, end)));
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      throw new CtlError(`error parsing ${source}: json: ${detail}`, { cause });
    }
    rest = rest.slice(end).trimStart();
    checkCount(values.length, source);
  }
  return values;
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

async function parseYamlStream(text: string, source: string): Promise<unknown[]> {
  const { parseYaml } = await import('../../machinery/codec/index.ts');
  const parts = text.split(/^---(?:[ \t].*)?\r?\n?/m);
  checkCount(parts.length, source);
  return parts.flatMap((part) => {
    if (/^(?:\s*(?:#.*)?\r?\n?)*$/.test(part)) return [];
    try {
      return [parseYaml(Buffer.from(part, 'utf8'))];
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      throw new CtlError(`error parsing ${source}: error converting YAML to JSON: ${detail}`, { cause });
    }
  });
}

function checkCount(count: number, source: string): void {
  if (count > maxDocuments)
    throw new CtlError(`error parsing ${source}: more than ${maxDocuments} documents`);
}

/** `List` and `PodList` stand for their items. */
function flattenList(value: unknown): readonly unknown[] {
  const { kind, items } = value as { kind?: unknown; items?: unknown }; // read by name; primitives have neither
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)
    ? items.flatMap(flattenList)
    : [value];
}
