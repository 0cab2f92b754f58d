import { hash } from 'node:crypto';
import { asJsonObject, isJsonObject } from '../../base/index.ts';
import { JsonCursor, JsonCursorError } from '../../machinery/codec/index.ts';
import type { OpenApiFragment } from './document.ts';
import { methods } from './swagger.ts';
import { definitionOfRef, tidySchema } from './tidy-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** Most paths, and most definitions, that a document may have: ten times those of a whole cluster. */
const maxEntries = 20_000;
/** Longest JSON of one path or definition that is read; longer ones are left out. */
const maxEntryLength = 2 ** 20;

/** A named part of another server's document: its JSON, and a hash of what it says beside the kinds that it stands for. */
interface Entry {
  readonly text: string;
  readonly digest: string;
}

/** What the document of another server says of one version of a group, with all that it refers to. */
export interface RemoteFragment {
  readonly paths: ReadonlyMap<string, string>;
  readonly definitions: ReadonlyMap<string, Entry>;
}

/** Where the parts of a document are. */
interface Parts {
  readonly paths: Map<string, Buffer>;
  readonly definitions: Map<string, Buffer>;
  readonly parameters: Map<string, Buffer>;
}

/**
 * Reads what an OpenAPI 2 document of another server says of a version of a group. What its author got wrong is left out or
 * becomes "any JSON", because clients refuse a whole document for it. Each `next` takes little time.
 *
 * @throws JsonCursorError, SyntaxError for what is no JSON.
 */
export function* readRemoteFragment(
  bytes: Buffer,
  { group, version }: { readonly group: string; readonly version: string },
): Generator<undefined, RemoteFragment> {
  const parts: Parts = { paths: new Map(), definitions: new Map(), parameters: new Map() };
  const cursor = new JsonCursor(bytes);
  for (const section of cursor.members()) {
    let count = 0;
    if (section !== 'paths' && section !== 'definitions' && section !== 'parameters') continue;
    for (const name of cursor.members()) {
      const value = cursor.take();
      if (++count > maxEntries) throw new JsonCursorError(`more than ${maxEntries} ${section}`);
      const isWanted = section !== 'paths' || name.startsWith(`/apis/${group}/${version}/`);
      if (isWanted && value.length <= maxEntryLength) parts[section].set(name, value);
      yield;
    }
  }
  const wanted = new Set<string>();
  const context: Context = { parts, wanted, parameters: new Map() };
  const paths = new Map<string, string>();
  for (const [path, value] of [...parts.paths].sort(byName)) {
    paths.set(path, JSON.stringify(tidyPathItem(parse(value), context)));
    yield;
  }
  const definitions = new Map<string, Entry>();
  // Grows while it is iterated: with what the definitions themselves refer to.
  for (const name of wanted) {
    const schema = tidy(parse(parts.definitions.get(name)), context);
    definitions.set(name, { text: JSON.stringify(schema), digest: digestOfTidy(schema) });
    yield;
  }
  return { paths, definitions: new Map([...definitions].sort(byName)) };
}

/** Equal for definitions that say the same, whatever kinds they stand for. */
export const digestOfDefinition = (schema: object): string => digestOfTidy(tidySchema(schema, () => true));

function digestOfTidy(schema: Json): string {
  const entries = Object.entries(schema).filter(([name]) => !name.endsWith('-group-version-kind'));
  return hash('sha256', JSON.stringify(entries), 'base64');
}

/** What other definitions of the document already say: a digest by name; '' for names that are taken whatever they say. */
export type TakenDefinitions = ReadonlyMap<string, string>;

/** How a fragment joins a document. */
export interface JoinedFragment {
  readonly fragment: OpenApiFragment;
  /** What it adds to the definitions of the document. */
  readonly added: TakenDefinitions;
  /** Equal for fragments that join in the same way. */
  readonly key: string;
}

/**
 * Fits a fragment into a document. Definitions that the document has already are shared; others of the same name get a number
 * behind their own, as release 1.20 does it.
 */
export function joinRemoteFragment(
  remote: RemoteFragment,
  taken: (name: string) => string | undefined,
): JoinedFragment {
  const names = new Map<string, string>();
  const added = new Map<string, string>();
  for (const [name, { digest }] of remote.definitions) {
    const fits = (one: string): boolean =>
      (taken(one) ?? digest) === digest && (added.get(one) ?? digest) === digest;
    let chosen = name;
    for (let count = 2; !fits(chosen); count++) chosen = `${name}_v${count}`;
    names.set(name, chosen);
    if (taken(chosen) === undefined) added.set(chosen, digest);
  }
  const renamed = (text: string): Json =>
    asJsonObject(
      JSON.parse(
        text.replace(/"\$ref":"#\/definitions\/((?:[^"\\]|\\.)*)"/g, (whole, escaped: string) => {
          const name = String(JSON.parse(`"${escaped}"`));
          const chosen = names.get(name);
          return chosen === undefined || chosen === name
            ? whole
            : `"$ref":${JSON.stringify(`#/definitions/${chosen}`)}`;
        }),
      ),
    );
  return {
    added,
    key: JSON.stringify([...names].filter(([name, chosen]) => name !== chosen || !added.has(chosen))),
    fragment: {
      *paths() {
        for (const [path, text] of remote.paths) yield [path, renamed(text)];
      },
      *definitions() {
        for (const [name, { text }] of remote.definitions) {
          const chosen = names.get(name) ?? name;
          if (added.has(chosen)) yield [chosen, renamed(text)];
        }
      },
    },
  };
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

const parse = (bytes: Buffer | undefined): Json =>
  bytes === undefined ? {} : asJsonObject(JSON.parse(bytes.toString()));

/** What the parts of a document are tidied with. */
interface Context {
  readonly parts: Parts;
  /** Definitions that are referred to. */
  readonly wanted: Set<string>;
  /** Parameters of the whole document that were read. */
  readonly parameters: Map<string, Json>;
}

const tidy = (schema: unknown, { parts, wanted }: Context): Json =>
  tidySchema(schema, (name) => {
    if (!parts.definitions.has(name)) return false;
    wanted.add(name);
    return true;
  });

function tidyPathItem(item: Json, context: Context): Json {
  const out: Record<string, unknown> = {};
  for (const method of methods) {
    const operation = item[method];
    if (isJsonObject(operation)) out[method] = tidyOperation(operation, context);
  }
  if (Array.isArray(item.parameters)) out.parameters = tidyParameters(item.parameters, context);
  return out;
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

function tidyOperation(operation: Json, context: Context): Json {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(operation)) {
    if (name.startsWith('x-') || typeof value === 'boolean') out[name] = value;
    else if (name === 'description' || name === 'operationId' || name === 'summary')
      out[name] = String(value);
    else if (name === 'parameters' && Array.isArray(value)) out[name] = tidyParameters(value, context);
    else if (Array.isArray(value)) out[name] = texts(value);
  }
  const responses = Object.entries(asJsonObject(operation.responses)).map(([code, answer]) => {
    const { description = '', schema } = asJsonObject(answer);
    return [
      code,
      {
        description: String(description),
        ...(schema === undefined ? {} : { schema: tidy(schema, context) }),
      },
    ];
  });
  return { ...out, responses: Object.fromEntries(responses) };
}

const simpleTypes: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'boolean',
  'integer',
  'array',
  'file',
]);

/** The parameters of a path or an operation; those of the whole document, which are referred to, stand for themselves. */
function tidyParameters(list: readonly unknown[], context: Context): readonly Json[] {
  return list.flatMap((one): Json[] => {
    const given = asJsonObject(one);
    const { schema, ...parameter } =
      typeof given.$ref === 'string' ? sharedParameter(given.$ref, context) : given;
    const { name, in: place, type } = parameter;
    if (typeof name !== 'string' || typeof place !== 'string') return [];
    if (place === 'body') return [{ ...parameter, schema: tidy(schema, context) }];
    return [{ ...parameter, type: simpleTypes.has(type) ? type : 'string' }];
  });
}

function sharedParameter(ref: string, { parts, parameters }: Context): Json {
  const name = definitionOfRef(ref, '#/parameters/') ?? '';
  const known = parameters.get(name) ?? parse(parts.parameters.get(name));
  parameters.set(name, known);
  return known;
}
