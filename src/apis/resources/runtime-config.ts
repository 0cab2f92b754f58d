import { parseBool } from '../../machinery/go-values/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { GroupData } from './resource-data.ts';

/** Values of `--runtime-config` by key; an empty value stands for `true`. */
export type RuntimeConfig = Readonly<Record<string, string>>;

/** A `--runtime-config` that makes no sense; the message is release 1.20's. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

/** Which `group/version` texts are served, and exceptions for single resources (`group/version/resource`). */
export interface EnabledVersions {
  readonly versions: ReadonlySet<string>;
  readonly resources: ReadonlyMap<string, boolean>;
  /** What of later releases is on, by its key. */
  readonly later: ReadonlySet<string>;
}

const stages: ReadonlyArray<readonly [key: string, pattern: RegExp]> = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];
const stageKeys: ReadonlySet<string> = new Set(stages.map(([key]) => key));

/** Reads the flag's text: `key[=value]` pairs between commas; later pairs win. */
export function parseRuntimeConfig(text: string): RuntimeConfig {
  const config: Record<string, string> = {};
  for (const pair of text.split(',')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    config[key.trim()] = equals < 0 ? '' : pair.slice(equals + 1).trim();
  }
  return config;
}

/**
 * Decides what is served: the defaults, then `api/all`, `api/ga`, `api/beta`, `api/alpha` in this order, then
 * single versions. Single resources can be switched in `extensions/v1beta1`, and those of later releases (`laterKeys`); elsewhere
 * such keys do nothing.
 *
 * @throws RuntimeConfigError for an unknown group or version, a malformed key or value, or only `api/all=false`.
 */
export function resolveRuntimeConfig(
  groups: readonly GroupData[],
  config: RuntimeConfig,
  laterKeys: ReadonlySet<string> = new Set(),
): EnabledVersions {
  checkKeys(groups, config);
  const versions = new Set<string>();
  for (const group of groups) {
    for (const version of group.versions) {
      if (isEnabledByStage(group, version, config)) versions.add(formatGroupVersion(group.name, version));
    }
  }
  const resources = new Map<string, boolean>();
  for (const key of Object.keys(config)) {
    if (!stageKeys.has(key)) applySingle({ groups, key, value: config[key] ?? '', versions, resources });
  }
  const later = [...laterKeys].filter(
    (key) => Object.hasOwn(config, key) && readSwitch(key, config[key] ?? ''),
  );
  return { versions, resources, later: new Set(later) };
}

/** @throws RuntimeConfigError for what is no truth of Go. */
function readSwitch(key: string, value: string): boolean {
  const isEnabled = value === '' || parseBool(value);
  if (isEnabled !== undefined) return isEnabled;
  throw new RuntimeConfigError(
    `invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
}

function isEnabledByStage(group: GroupData, version: string, config: RuntimeConfig): boolean {
  let isEnabled = group.defaultVersions.includes(version);
  if (group.namedVersions?.includes(version) === true) return isEnabled;
  for (const [key, pattern] of stages) {
    const value = config[key];
    // As in release 1.20, other spellings of a boolean count for single versions only.
    if ((value === 'true' || value === 'false' || value === '') && pattern.test(version)) {
      isEnabled = value !== 'false';
    }
  }
  return isEnabled;
}

function checkKeys(groups: readonly GroupData[], config: RuntimeConfig): void {
  const keys = Object.keys(config);
  if (keys.length === 1 && config['api/all'] === 'false') {
    throw new RuntimeConfigError('invalid key with only api/all=false');
  }
  const unknown = new Set<string>();
  for (const key of keys) {
    if (stageKeys.has(key)) continue;
    const parts = key.split('/');
    if (parts.length !== 2 && parts.length !== 3) {
      throw new RuntimeConfigError(`runtime-config invalid key ${key}`);
    }
    const name = parts[0] ?? '';
    if (!groups.some((group) => group.name === name)) unknown.add(name);
  }
  if (unknown.size > 0) throw new RuntimeConfigError(`unknown api groups ${[...unknown].join(',')}`);
}

interface SingleKey {
  readonly groups: readonly GroupData[];
  readonly key: string;
  readonly value: string;
  readonly versions: Set<string>;
  readonly resources: Map<string, boolean>;
}

function applySingle({ groups, key, value, versions, resources }: SingleKey): void {
  const [group = '', version = '', resource] = key.split('/');
  const groupVersion = formatGroupVersion(group, version);
  if (resource !== undefined && groupVersion !== 'extensions/v1beta1') return;
  if (!groups.some((known) => known.name === group && known.versions.includes(version))) {
    throw new RuntimeConfigError(`group version ${groupVersion} that has not been registered`);
  }
  const isEnabled = readSwitch(key, value);
  if (isEnabled) versions.add(groupVersion);
  else if (resource === undefined) versions.delete(groupVersion);
  if (resource !== undefined) resources.set(`${groupVersion}/${resource}`, isEnabled);
}
