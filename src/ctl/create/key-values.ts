import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { OptionSpec } from '../../config/index.ts';
import { isConfigMapKey, isEnvVarName } from '../../machinery/formats/index.ts';
import { CtlError } from '../errors.ts';
import { readLocalFile } from '../read-file.ts';

/** Options that give keys and values. */
export const keyValueOptions = [
  {
    name: 'from-literal',
    type: 'stringArray',
    valueName: 'KEY=VALUE',
    section: 'Object',
    help: 'A key and its value.',
  },
  {
    name: 'from-file',
    type: 'strings',
    valueName: '[KEY=]FILE',
    section: 'Object',
    help: 'A file whose content is the value, its name the key unless one is given; a folder gives all of its files.',
  },
  {
    name: 'from-env-file',
    type: 'string',
    valueName: 'FILE',
    section: 'Object',
    help: 'A file with lines KEY=VALUE.',
  },
] as const satisfies readonly OptionSpec[];

/** Where keys and values come from. */
export interface KeyValueSources {
  readonly literals: readonly string[];
  readonly files: readonly string[];
  readonly envFile: string | undefined;
  /** What the keys are for, in messages. */
  readonly owner: { readonly kind: 'ConfigMap' | 'Secret'; readonly name: string };
  /** Where a file of variables that has only a name finds its value. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads all keys and values. @throws CtlError for a key that is given twice or makes no sense */
export function readKeyValues(sources: KeyValueSources): ReadonlyMap<string, Buffer> {
  const { files, owner, env } = sources;
  // An empty text alone is as if the flag were not there.
  const literals = sources.literals.length === 1 && sources.literals[0] === '' ? [] : sources.literals;
  const envFile = sources.envFile || undefined;
  if (envFile !== undefined && (literals.length > 0 || files.length > 0)) {
    throw new CtlError('from-env-file cannot be combined with from-file or from-literal');
  }
  const values = new Map<string, Buffer>();
  const add = (key: string, value: Buffer) => {
    const problems = isConfigMapKey(key);
    if (problems.length > 0) {
      const what = `is not a valid key name for a ${owner.kind}`;
      throw new CtlError(`${JSON.stringify(key)} ${what}: ${problems.join(',')}`);
    }
    if (values.has(key)) throw new CtlError(repeatedKey(key, owner));
    values.set(key, value);
  };
  for (const literal of literals) add(...splitLiteral(literal));
  for (const file of files) addFile(file, add);
  if (envFile !== undefined) addEnvFile(envFile, env, add);
  return values;
}

/** Release 1.20's words for each of the two kinds. */
function repeatedKey(key: string, { kind, name }: KeyValueSources['owner']): string {
  if (kind === 'Secret') return `cannot add key ${key}, another key by that name already exists`;
  return `cannot add key ${JSON.stringify(key)}, another key by that name already exists in Data for ConfigMap ${JSON.stringify(name)}`;
}

type Add = (key: string, value: Buffer) => void;

/** A key and its value. @throws CtlError for anything else */
export function splitLiteral(literal: string): [string, Buffer] {
  const equals = literal.indexOf('=');
  if (equals < 1) throw new CtlError(`invalid literal source ${literal}, expected key=value`);
  return [literal.slice(0, equals), Buffer.from(literal.slice(equals + 1), 'utf8')];
}

function addFile(source: string, add: Add): void {
  const equals = source.indexOf('=');
  const [key, path] = equals < 0 ? [undefined, source] : [source.slice(0, equals), source.slice(equals + 1)];
  if (key === '') throw new CtlError(`key name for file path ${path} missing`);
  if (path === '') throw new CtlError(`file path for key name ${key ?? ''} missing`);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new CtlError(`error reading ${path}: no such file or directory`);
  if (!stat.isDirectory()) {
    add(key ?? basename(path), readLocalFile(path));
    return;
  }
  if (key !== undefined) throw new CtlError(`cannot give a key name for a directory path`);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isFile() && isConfigMapKey(entry.name).length === 0)
      add(entry.name, readLocalFile(join(path, entry.name)));
  }
}

function addEnvFile(path: string, env: KeyValueSources['env'], add: Add): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new CtlError(`error reading ${path}: no such file or directory`);
  }
  for (const { key, value } of parseEnvLines(readLocalFile(path).toString('utf8'))) {
    const problems = isEnvVarName(key);
    if (problems.length > 0)
      throw new CtlError(`${JSON.stringify(key)} is not a valid key name: ${problems.join(';')}`);
    add(key, Buffer.from(value ?? env[key] ?? '', 'utf8'));
  }
}

/** The lines of a file of variables: `KEY=VALUE`, or `KEY` for one whose value the environment has. */
export function parseEnvLines(text: string): readonly { readonly key: string; readonly value?: string }[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const equals = line.indexOf('=');
      return equals < 0 ? { key: line } : { key: line.slice(0, equals), value: line.slice(equals + 1) };
    });
}
