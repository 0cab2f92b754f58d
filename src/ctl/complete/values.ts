import type { Schema } from '../../apis/openapi/index.ts';
import { loadClientConfig } from '../../client/config/index.ts';
import { createResourceMapper } from '../../client/discovery/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';
import { completionShells, flagWord, type OptionSpec } from '../../config/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import knownVerbs from '../auth/known-verbs.json' with { type: 'json' };
import type { Ctl } from '../ctl.ts';
import { findField } from '../explain/find-field.ts';
import { typeNameOf } from '../explain/type-name.ts';
import { knownFormats } from '../printers/output-format.ts';
import type { Verb } from '../verb.ts';
import { verbs } from '../verbs.ts';
import { behind, type Candidate, candidatesOf, type Offer } from './candidate.ts';
import {
  offerContainers,
  offerNames,
  offerObjects,
  offerPods,
  offerTypeList,
  offerTypes,
} from './objects.ts';
import type { Line } from './read-line.ts';
import table from './values.json' with { type: 'json' };

/** What flags and arguments of commands are, by name; an argument with dots stands for any number of them. */
const kinds: {
  readonly arguments: Readonly<Record<string, readonly string[]>>;
  readonly flags: Readonly<Record<string, string>>;
} = table;

/** One value at the cursor. */
interface Wanted {
  readonly ctl: Ctl;
  readonly line: Line;
  /** What is typed of it. */
  readonly current: string;
  /** The arguments of its kind before it. */
  readonly args: readonly string[];
}

/** Sources by the words of the table. Other words there are types, whose objects are named. */
const sources: Readonly<Record<string, (wanted: Wanted) => Offer | Promise<Offer>>> = {
  accessVerb: () => candidatesOf(knownVerbs.resource.filter((verb) => verb !== '*')),
  apiVersion: async ({ ctl }) => {
    const { groups } = await (await ctl.discovery()).get();
    return candidatesOf(
      groups.flatMap(({ name, versions }) => versions.map((version) => formatGroupVersion(name, version))),
    );
  },
  cluster: async ({ ctl }) => candidatesOf((await readConfig(ctl)).clusters.keys()),
  container: ({ ctl, line }) => offerContainers(ctl, line.args[0]),
  context: async ({ ctl }) => candidatesOf((await readConfig(ctl)).contexts.keys()),
  field: ({ ctl, line, current }) => offerFields(ctl, current, String(line.values['api-version'] ?? '')),
  file: () => 'files',
  folder: () => 'folders',
  format: ({ line }) => offerFormats(line.name === 'get'),
  group: async ({ ctl }) =>
    candidatesOf((await (await ctl.discovery()).get()).groups.map(({ name }) => name)),
  objects: ({ ctl, args, current }) => offerObjects(ctl, args, current),
  pod: ({ ctl, current }) => offerPods(ctl, current),
  shell: () => candidatesOf(completionShells),
  type: ({ ctl, current }) => offerTypeList(ctl, current),
  user: async ({ ctl }) => candidatesOf((await readConfig(ctl)).users.keys()),
};

/** The flags of the command. */
export function offerFlags({ options }: Line): Offer {
  return options
    .filter((option) => !option.hidden && !option.unsupported && !option.withoutEffect)
    .map((option) => ({ text: flagWord(option), help: option.help }));
}

/** The commands at this place. */
export async function offerCommands({ verb, args }: Line): Promise<Candidate[]> {
  if (verb === undefined)
    return Object.entries(verbs).map(([text, { summary }]) => ({ text, help: summary }));
  if (args.length > 0) return [];
  const subverbs = await Promise.all(Object.values(verb.subverbs ?? {}).map((load) => load()));
  return [...new Set(subverbs)].map(({ program }: Verb) => ({
    text: program.name.slice(program.name.lastIndexOf(' ') + 1),
    help: program.summary,
  }));
}

/** What an argument of the command may be. */
export async function offerArguments(ctl: Ctl, line: Line): Promise<Offer> {
  const { args, current, name } = line;
  const wanted = kinds.arguments[name] ?? [];
  const last = wanted.at(-1) ?? '';
  const isOpen = last.endsWith('...') || last === 'objects';
  const index = isOpen ? Math.min(args.length, wanted.length - 1) : args.length;
  const kind = wanted[index]?.replace('...', '');
  if (kind === undefined) return [];
  const before = args.slice(index);
  const offer = await offerKind(kind, { ctl, line, current, args: before });
  return typeof offer === 'string' || kind === 'objects'
    ? offer
    : offer.filter(({ text }) => !before.includes(text));
}

/** What the value of a flag may be. */
export async function offerValues(ctl: Ctl, line: Line, option: OptionSpec, typed: string): Promise<Offer> {
  const { allowed, suggested, name, type, valueName = '' } = option;
  const isList = type === 'strings';
  const known = allowed ?? suggested ?? (type === 'bool' ? ['true', 'false'] : undefined);
  if (known !== undefined) {
    const start = isList ? typed.lastIndexOf(',') + 1 : 0;
    return behind(typed.slice(0, start), candidatesOf(known));
  }
  const kind = Object.hasOwn(kinds.flags, name) ? kinds.flags[name] : undefined;
  if (kind !== undefined && (type === 'string' || kind === 'type'))
    return offerKind(kind, { ctl, line, current: typed, args: [] });
  if (valueName === 'FILE') return 'files';
  return valueName === 'FOLDER' || valueName === 'DIR' ? 'folders' : [];
}

function offerKind(kind: string, wanted: Wanted): Offer | Promise<Offer> {
  const source = Object.hasOwn(sources, kind) ? sources[kind] : undefined;
  return source === undefined ? offerNames(wanted.ctl, kind) : source(wanted);
}

const wholeFormats = ['json', 'yaml', 'name', 'wide'];

/** Formats; those that need a template end with what stands before it. */
function offerFormats(hasColumns: boolean): Candidate[] {
  const formats = knownFormats.filter((name) => name !== 'wide' || hasColumns);
  return candidatesOf(formats.map((name) => (wholeFormats.includes(name) ? name : `${name}=`)));
}

function readConfig({ locations }: Ctl) {
  return loadClientConfig({ ...locations, isExplicit: false });
}

/** References and lists within one another beyond this depth make no sense. */
const maxDepth = 32;

/** `TYPE[.FIELD...]`, as `explain` takes it. */
async function offerFields(ctl: Ctl, current: string, version: string): Promise<Candidate[]> {
  const dot = current.lastIndexOf('.');
  if (dot < 0) return (await offerTypes(ctl, current)).filter(({ text }) => !text.includes('.'));
  const [type = '', ...path] = current.slice(0, dot).split('.');
  const resource = createResourceMapper(await (await ctl.discovery()).get()).find(type);
  if (resource === undefined) return [];
  const { kind } = resource;
  const [inVersion = resource.version, inGroup = ''] = version === '' ? [] : version.split('/').reverse();
  const identity = { group: version === '' ? resource.group : inGroup, version: inVersion, kind };
  const schemas = await (await ctl.openApi()).get([identity]);
  const root = schemas.definition(schemas.nameOf(identity) ?? '');
  if (root === undefined) return [];
  return Object.entries(fieldsOf(schemas, findField(schemas, root, path))).map(([name, schema]) => ({
    text: `${current.slice(0, dot)}.${name}`,
    help: typeNameOf(schemas, schema),
  }));
}

/** The fields of an object, of the items of a list, or of what is referred to. */
function fieldsOf(schemas: OpenApiSchemas, schema: Schema, depth = 0): Readonly<Record<string, Schema>> {
  if (depth > maxDepth) return {};
  const shape = shapeOf(schema);
  if (shape.kind === 'object') return shape.fields;
  if (shape.kind === 'array') return fieldsOf(schemas, shape.items, depth + 1);
  if (shape.kind !== 'reference') return {};
  return fieldsOf(schemas, schemas.definition(shape.name) ?? {}, depth + 1);
}
