import { isAbsolute, resolve } from 'node:path';
import { isJsonObject, ownValue } from '../../base/index.ts';
import { type AnyOptionValue, readFieldValue } from '../../config/index.ts';
import { BodySyntaxError, listYamlKeys, parseYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { fieldOptions } from './option-table.ts';
import { agentPhrases } from './phrases.ts';

/** `apiVersion` of a configuration file, in the spelling of the data. */
export const configFileVersion = 'nodeagent.config.orch.io/v1beta1';
/** `kind` of a configuration file, in the spelling of the data. */
export const configFileKind = 'NodeAgentConfiguration';

/** What a configuration file says. */
export interface AgentConfigFile {
  /** By key of the table; only fields that are there. */
  readonly values: ReadonlyMap<string, AnyOptionValue>;
  /** Fields that are unknown or stand there twice, with their lines. */
  readonly strays: readonly string[];
}

/** Where a file came from. */
export interface ConfigFileOrigin {
  /** As the command line has it. */
  readonly name: string;
  /** Absolute folder, from which relative paths in the file are seen. */
  readonly folder: string;
  readonly dialect: Dialect;
}

/** The file is no configuration; the message is what stands behind `failed to load NodeAgent config file ..., error `. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';
  /** One sentence per problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** A larger file is no configuration. */
const maxFileBytes = 1024 * 1024;
/** How much of a file a message repeats. */
const maxShownBytes = 4096;

/** Reads a configuration file in YAML or JSON. @throws ConfigFileError */
export function readConfigFile(bytes: Buffer, origin: ConfigFileOrigin): AgentConfigFile {
  if (bytes.length === 0) throw new ConfigFileError([`${fileTitle(origin)} was empty`]);
  if (bytes.length > maxFileBytes) {
    throw new ConfigFileError([`${fileTitle(origin)} has more than ${maxFileBytes} bytes`]);
  }
  const document = parseDocument(bytes);
  checkKind(document, bytes, origin.dialect);
  const { values, problems } = readFields(document, origin);
  if (problems.length > 0)
    throw new ConfigFileError(problems.map((problem) => `failed to decode: ${problem}`));
  return { values, strays: findStrays(bytes, origin.dialect) };
}

function fileTitle({ name, dialect }: ConfigFileOrigin): string {
  return `${dialect.spell('nodeagent config file')} ${quoteGo(name)}`;
}

function parseDocument(bytes: Buffer): Readonly<Record<string, unknown>> {
  let document: unknown;
  try {
    document = parseYaml(bytes);
  } catch (error) {
    if (error instanceof BodySyntaxError) throw new ConfigFileError([`failed to decode: ${error.message}`]);
    throw error;
  }
  if (isJsonObject(document)) return document;
  throw new ConfigFileError([
    "failed to decode: couldn't get version/kind; json parse error: expected a map of fields",
  ]);
}

function checkKind(
  { kind, apiVersion }: Readonly<Record<string, unknown>>,
  bytes: Buffer,
  dialect: Dialect,
): void {
  const missing =
    kind === undefined || kind === ''
      ? 'Kind'
      : apiVersion === undefined || apiVersion === ''
        ? 'apiVersion'
        : '';
  if (missing !== '') {
    throw new ConfigFileError([
      `failed to decode: Object '${missing}' is missing in '${bytes.toString('utf8', 0, maxShownBytes)}'`,
    ]);
  }
  const version = dialect.spell(configFileVersion);
  if (apiVersion === version && kind === dialect.spell(configFileKind)) return;
  if (apiVersion === version && kind === 'SerializedNodeConfigSource') {
    throw new ConfigFileError([
      `failed to cast object to ${dialect.spell(configFileKind)}, unexpected type: ${version}, Kind=${kind}`,
    ]);
  }
  const scheme = dialect.spell('orch.io/orch/pkg/nodeagent/apis/config/scheme/scheme.go:32');
  throw new ConfigFileError([
    `failed to decode: no kind ${quoteGo(String(kind))} is registered for version ${quoteGo(String(apiVersion))} in scheme ${quoteGo(scheme)}`,
  ]);
}

function readFields(document: Readonly<Record<string, unknown>>, { folder, dialect }: ConfigFileOrigin) {
  const values = new Map<string, AnyOptionValue>();
  const problems = new Set<string>();
  const typeName = dialect.spell(`v1beta1.${configFileKind}`);
  for (const option of fieldOptions) {
    const path = dialect.spell(option.field).split('.');
    const raw = lookUp(document, path);
    if ('problem' in raw) problems.add(`${typeName}.${raw.problem}`);
    if ('problem' in raw || raw.value === undefined) continue;
    const parsed = readFieldValue(option, raw.value, agentPhrases);
    if ('problem' in parsed) problems.add(`${typeName}.${path.join('.')}: ${parsed.problem}`);
    else if (parsed.value !== undefined)
      values.set(option.key, option.isPath ? seenFrom(folder, parsed.value) : parsed.value);
  }
  return { values, problems: [...problems] };
}

function lookUp(
  document: Readonly<Record<string, unknown>>,
  path: readonly string[],
): { value: unknown } | { problem: string } {
  let value: unknown = document;
  for (const [index, name] of path.entries()) {
    if (value === undefined || value === null) return { value: undefined };
    if (!isJsonObject(value))
      return { problem: `${path.slice(0, index).join('.')}: expected a map of fields` };
    value = ownValue(value, name);
  }
  return { value };
}

function seenFrom(folder: string, path: AnyOptionValue): AnyOptionValue {
  return typeof path !== 'string' || path === '' || isAbsolute(path) ? path : resolve(folder, path);
}

/** At most this many are told; one mistake of a program can make thousands. */
const maxStrays = 20;

function findStrays(bytes: Buffer, dialect: Dialect): string[] {
  const leaves = new Set(['kind', 'apiVersion', ...fieldOptions.map(({ field }) => dialect.spell(field))]);
  const folders = new Set(
    [...leaves].flatMap((leaf) => leaf.split('.').map((_, index, parts) => parts.slice(0, index).join('.'))),
  );
  const strays: string[] = [];
  for (const { path, line, isRepeated } of listYamlKeys(bytes)) {
    const text = path.join('.');
    const isKnown = leaves.has(text) || folders.has(text) || isBelowLeaf(path, leaves);
    const parentIsKnown = path.length === 1 || folders.has(path.slice(0, -1).join('.'));
    if (!isKnown && parentIsKnown) strays.push(`line ${line}: unknown field ${quoteGo(text)}`);
    else if (isRepeated)
      strays.push(`line ${line}: field ${quoteGo(text)} is given twice, the last one counts`);
  }
  return strays.length <= maxStrays
    ? strays
    : [...strays.slice(0, maxStrays), `and ${strays.length - maxStrays} more`];
}

function isBelowLeaf(path: readonly string[], leaves: ReadonlySet<string>): boolean {
  return path.some((_, index) => index > 0 && leaves.has(path.slice(0, index).join('.')));
}
