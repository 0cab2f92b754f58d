import { asJsonObject, isJsonObject } from '../../base/index.ts';
import { BodySyntaxError, parseYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** What a file says of one plugin: its configuration, or the file that has it. */
export type PluginConfiguration =
  | { readonly kind: 'value'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'file'; readonly path: string };

/** A file that says what cannot be; the message names the field. */
export class AdmissionConfigurationError extends Error {
  override readonly name = 'AdmissionConfigurationError';
}

/**
 * The plugins' configurations by name, of a file of kind `AdmissionConfiguration` (`--admission-control-config-file`).
 *
 * @throws AdmissionConfigurationError for a file of another kind, for plugins that are named twice, and for fields that are
 * not known.
 */
export function readAdmissionConfiguration(
  text: string,
  dialect: Dialect,
): ReadonlyMap<string, PluginConfiguration> {
  const document = parseDocument(text);
  if (isUnversioned(document)) {
    // What the two plugins read that had files before there was a kind of configurations.
    const itself: PluginConfiguration = { kind: 'value', value: document };
    return new Map(
      unversionedPlugins
        .filter(({ member }) => Object.hasOwn(document, member))
        .map(({ plugin }) => [plugin, itself]),
    );
  }
  expectKind(document, 'AdmissionConfiguration', admissionVersions(dialect));
  const { plugins = [], ...rest } = document;
  refuseUnknown(rest, '', ['apiVersion', 'kind']);
  if (!Array.isArray(plugins)) throw new AdmissionConfigurationError('plugins: must be a list');
  const found = new Map<string, PluginConfiguration>();
  for (const [index, item] of plugins.entries()) {
    const path = `plugins[${index}]`;
    const { name, path: file = '', configuration, ...others } = asJsonObject(item);
    refuseUnknown(others, path, []);
    if (typeof name !== 'string' || name === '')
      throw new AdmissionConfigurationError(`${path}.name: must name a plugin`);
    if (found.has(name)) throw new AdmissionConfigurationError(`${path}.name: ${name} is configured twice`);
    const given = pluginConfiguration(file, configuration, path);
    if (given !== undefined) found.set(name, given);
  }
  return found;
}

/** Plugins whose configuration has no kind, and by which member it is known. */
const unversionedPlugins = [
  { plugin: 'ImagePolicyWebhook', member: 'imagePolicy' },
  { plugin: 'PodNodeSelector', member: 'podNodeSelectorPluginConfig' },
];

const isUnversioned = (document: Readonly<Record<string, unknown>>): boolean =>
  document.kind === undefined && unversionedPlugins.some(({ member }) => Object.hasOwn(document, member));

function pluginConfiguration(
  file: unknown,
  configuration: unknown,
  path: string,
): PluginConfiguration | undefined {
  if (typeof file !== 'string') throw new AdmissionConfigurationError(`${path}.path: must be a text`);
  if (configuration !== undefined && configuration !== null) {
    if (isJsonObject(configuration)) return { kind: 'value', value: configuration };
    throw new AdmissionConfigurationError(`${path}.configuration: must be an object`);
  }
  return file === '' ? undefined : { kind: 'file', path: file };
}

/**
 * The client configuration that webhooks are called with, of a plugin's configuration of kind
 * `WebhookAdmissionConfiguration`, or `WebhookAdmission` in the older version; undefined when it names none.
 *
 * @throws AdmissionConfigurationError for another kind, and for fields that are not known.
 */
export function readWebhookConfiguration(
  value: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): string | undefined {
  const group = dialect.group('apiserver.config');
  if (value.kind === 'WebhookAdmission') expectKind(value, value.kind, [`${group}/v1alpha1`]);
  else expectKind(value, 'WebhookAdmissionConfiguration', [`${group}/v1`]);
  const field = dialect.spell('orchConfigFile');
  const { [field]: path, ...rest } = value;
  refuseUnknown(rest, '', ['apiVersion', 'kind']);
  if (path === undefined || path === '') return undefined;
  if (typeof path !== 'string') throw new AdmissionConfigurationError(`${field}: must be a path`);
  return path;
}

/** A file's YAML, which is also JSON, as an object. @throws AdmissionConfigurationError */
export function parseDocument(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseYaml(Buffer.from(text));
  } catch (error) {
    if (error instanceof BodySyntaxError) throw new AdmissionConfigurationError(error.message);
    throw error;
  }
  if (isJsonObject(value)) return value;
  throw new AdmissionConfigurationError('must be an object');
}

const admissionVersions = (dialect: Dialect): readonly string[] => [
  `${dialect.group('apiserver.config')}/v1`,
  `${dialect.group('apiserver')}/v1alpha1`,
];

/** @throws AdmissionConfigurationError */
export function expectKind(
  { kind, apiVersion }: Readonly<Record<string, unknown>>,
  expected: string,
  versions: readonly string[],
): void {
  if (kind === expected && versions.some((version) => version === apiVersion)) return;
  throw new AdmissionConfigurationError(`must be of kind ${expected} in version ${versions.join(' or ')}`);
}

/** @throws AdmissionConfigurationError for a member that is not known. */
export function refuseUnknown(value: object, path: string, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new AdmissionConfigurationError(`${path === '' ? '' : `${path}.`}${unknown}: no such field`);
}
