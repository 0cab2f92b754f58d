import type { ConfigEdit, ConfigSection } from '../../client/config/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { edit, fileOf, fileOfCurrentContext, loadMerged } from './files.ts';
import knownProperties from './properties.json' with { type: 'json' };

/** `ctl config set`. */
export const setPropertyVerb = defineVerb({
  program: {
    name: 'ctl config set',
    summary: 'Set one value of the configuration',
    usage: 'PROPERTY VALUE [flags]',
    description: [
      'A property is current-context, or a path such as clusters.NAME.server, contexts.NAME.namespace, users.NAME.token. Certificates and keys are given as base64.',
    ],
    options: [
      {
        name: 'set-raw-bytes',
        type: 'bool',
        section: 'Changes',
        help: 'Take certificates and keys as they are, not as base64.',
      },
    ],
    examples: [{ command: 'ctl config set contexts.test.namespace team-a', does: 'change one field' }],
  },
  async run(ctl, { options, args }) {
    const [path, value, ...rest] = args;
    if (path === undefined || value === undefined || rest.length > 0) {
      throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
    }
    const property = parseProperty(path);
    if (property.kind !== 'current-context' && property.field === undefined) {
      throw new CtlError(
        `${path} is no single value; its fields are ${Object.keys(typesOf(property.section)).join(', ')}`,
      );
    }
    const change: ConfigEdit =
      property.kind === 'current-context'
        ? { kind: 'current-context', name: value }
        : {
            kind: 'set',
            section: property.section,
            name: property.name,
            fields: { [property.field ?? '']: readValue(property, value, options.setRawBytes) },
          };
    await edit(await fileFor(ctl, property), change);
    ctl.io.stdout.write(`Property ${JSON.stringify(path)} set.\n`);
  },
});

/** `ctl config unset`. */
export const unsetPropertyVerb = defineVerb({
  program: {
    name: 'ctl config unset',
    summary: 'Take one value out of the configuration',
    usage: 'PROPERTY',
    options: [],
    examples: [
      { command: 'ctl config unset current-context', does: 'choose no context' },
      { command: 'ctl config unset contexts.test.namespace', does: 'take a field away' },
    ],
  },
  async run(ctl, { args }) {
    const [path, ...rest] = args;
    if (path === undefined || rest.length > 0) throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
    const property = parseProperty(path);
    const isThere =
      property.kind === 'current-context' || (await loadMerged(ctl))[property.section].has(property.name);
    if (!isThere && property.field !== undefined) {
      throw new CtlError(`current map key \`${property.name}\` is invalid`);
    }
    if (isThere) await edit(await fileFor(ctl, property), removalOf(property));
    ctl.io.stdout.write(`Property ${JSON.stringify(path)} unset.\n`);
  },
});

/** What a path names: the current context, an entry, or a field of it. */
type Property =
  | { readonly kind: 'current-context' }
  | {
      readonly kind: 'entry';
      readonly section: ConfigSection;
      readonly name: string;
      readonly field: string | undefined;
    };

const sections: Readonly<Record<ConfigSection, Readonly<Record<string, string>>>> = knownProperties;

function typesOf(section: ConfigSection): Readonly<Record<string, string>> {
  return sections[section];
}

function isSection(text: string): text is ConfigSection {
  return Object.hasOwn(sections, text);
}

/** Names may have dots: the field is what stands behind the last one, where it is known. @throws CtlError */
function parseProperty(path: string): Property {
  if (path === 'current-context') return { kind: 'current-context' };
  const [section = '', ...parts] = path.split('.');
  if (!isSection(section)) throw new CtlError(`unable to parse ${path} after [] at api.Config`);
  if (parts.join('.') === '') throw new CtlError(`${path} is no single value: name one of the ${section}`);
  const last = parts.at(-1) ?? '';
  const field = parts.length > 1 && Object.hasOwn(typesOf(section), last) ? last : undefined;
  const name = (field === undefined ? parts : parts.slice(0, -1)).join('.');
  return { kind: 'entry', section, name, field };
}

function readValue(
  { section, field = '' }: Property & { kind: 'entry' },
  value: string,
  isRaw: boolean,
): unknown {
  switch (typesOf(section)[field]) {
    case 'bool':
      if (/^(1|t|T|TRUE|true|True)$/.test(value)) return true;
      if (/^(0|f|F|FALSE|false|False)$/.test(value)) return false;
      throw new CtlError(`strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`);
    case 'bytes': {
      if (isRaw) return Buffer.from(value, 'utf8').toString('base64');
      // Programs that encode break lines.
      const joined = value.replace(/[\r\n]/g, '');
      if (Buffer.from(joined, 'base64').toString('base64') === joined) return joined;
      throw new CtlError(
        `error decoding input value: ${field} must be base64, or given with --set-raw-bytes`,
      );
    }
    default:
      return value;
  }
}

function removalOf(property: Property): ConfigEdit {
  if (property.kind === 'current-context') return { kind: 'current-context', name: '' };
  const { section, name, field } = property;
  return field === undefined
    ? { kind: 'remove', section, name }
    : { kind: 'set', section, name, fields: { [field]: undefined } };
}

function fileFor(ctl: Ctl, property: Property): Promise<string> {
  return property.kind === 'current-context'
    ? fileOfCurrentContext(ctl)
    : fileOf(ctl, property.section, property.name);
}
