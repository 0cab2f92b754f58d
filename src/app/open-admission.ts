import { dirname, resolve } from 'node:path';
import { type Clock, errorText, type Logger } from '../base/index.ts';
import { type ClientConfig, loadClientConfig } from '../client/config/index.ts';
import { effectiveAdmissionPlugins, type ServeConfig } from '../config/serve/index.ts';
import {
  type AdmissionOptions,
  ImagePolicyWebhook,
  type PluginConfiguration,
  parseDocument,
  readAdmissionConfiguration,
  readEventLimits,
  readImagePolicy,
  readLimitedResources,
  readNodeSelectors,
  readTolerationLists,
  readWebhookConfiguration,
} from '../server/admission/index.ts';
import type { OperatorSettings } from '../server/callouts/index.ts';
import type { ApiModel } from './api-model.ts';
import { freshMs, openCallee, openOperatorCaller, settingsOfUser } from './open-callee.ts';
import { readFlagFile } from './read-flag-file.ts';

/** Credentials for the webhook at `host` (with its port), of the file that configures admission. */
export type WebhookCredentials = (host: string) => OperatorSettings | undefined;

/** What the file of `--admission-control-config-file` says, by plugin. */
export interface AdmissionFiles
  extends Pick<AdmissionOptions, 'eventLimits' | 'limitedResources' | 'nodeSelectors' | 'tolerationLists'> {
  readonly mutating: WebhookCredentials | undefined;
  readonly validating: WebhookCredentials | undefined;
  /** Undefined while the plugin is not enabled. */
  readonly imagePolicy?: ImagePolicyWebhook | undefined;
}

/** What admission is opened with. */
export interface AdmissionSources {
  readonly config: ServeConfig;
  readonly model: Pick<ApiModel, 'dialect' | 'catalog'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends connections. */
  readonly opened: AsyncDisposableStack;
}

const flag = 'admission-control-config-file';

/** Plugins that cannot work without a configuration. */
const configuredPlugins = ['EventRateLimit', 'ImagePolicyWebhook'];

/** Plugins that read one. */
const configurablePlugins: ReadonlySet<string> = new Set([
  ...configuredPlugins,
  'MutatingAdmissionWebhook',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'ResourceQuota',
  'ValidatingAdmissionWebhook',
]);

/**
 * Reads the file that configures admission plugins, and what it names; relative paths begin at its folder.
 *
 * @throws Error that names flag and file, when it cannot be used or configures a plugin that reads no configuration here, or
 * when an enabled plugin lacks its configuration.
 */
export async function openAdmission(sources: AdmissionSources): Promise<AdmissionFiles> {
  const { config, model } = sources;
  const path = config.admissionControlConfigFile;
  const enabled = effectiveAdmissionPlugins(config);
  const text = path === undefined ? undefined : await readFlagFile(flag, path);
  try {
    const plugins =
      text === undefined ? new Map<never, never>() : readAdmissionConfiguration(text, model.dialect);
    const unread = [...plugins.keys()].find((name) => !configurablePlugins.has(name));
    if (unread !== undefined) throw new Error(`plugins: ${unread} takes no configuration in this version`);
    const missing = configuredPlugins.find((name) => enabled.includes(name) && !plugins.has(name));
    if (missing !== undefined) throw new Error(`plugins: ${missing} is enabled and must be configured`);
    return await openPlugins({ ...sources, enabled, plugins, folder: dirname(path ?? '') });
  } catch (cause) {
    throw new Error(`--${flag}: ${path === undefined ? '' : `${path}: `}${errorText(cause)}`, { cause });
  }
}

interface PluginFiles extends AdmissionSources {
  readonly enabled: readonly string[];
  readonly plugins: ReadonlyMap<string, PluginConfiguration>;
  /** Where relative paths begin. */
  readonly folder: string;
}

type Document = ReturnType<typeof parseDocument>;

async function openPlugins(files: PluginFiles): Promise<AdmissionFiles> {
  const { plugins, folder, model, enabled } = files;
  const { dialect } = model;
  /** What `read` makes of a plugin's configuration; errors name the plugin. */
  const open = async <T>(
    name: string,
    read: (document: Document) => T | Promise<T>,
  ): Promise<T | undefined> => {
    const plugin = plugins.get(name);
    if (plugin === undefined) return undefined;
    try {
      if (plugin.kind === 'value') return await read(plugin.value);
      return await read(parseDocument(await readFlagFile(flag, resolve(folder, plugin.path))));
    } catch (cause) {
      throw new Error(`${name}: ${errorText(cause)}`, { cause });
    }
  };
  const credentials = (document: Document) => openCredentials(document, files);
  const asksAboutImages = enabled.includes('ImagePolicyWebhook');
  return {
    mutating: await open('MutatingAdmissionWebhook', credentials),
    validating: await open('ValidatingAdmissionWebhook', credentials),
    eventLimits: await open('EventRateLimit', (document) => readEventLimits(document, dialect)),
    limitedResources: await open('ResourceQuota', (document) => readLimitedResources(document, dialect)),
    tolerationLists: await open('PodTolerationRestriction', (document) =>
      readTolerationLists(document, dialect),
    ),
    nodeSelectors: await open('PodNodeSelector', readNodeSelectors),
    imagePolicy: asksAboutImages
      ? await open('ImagePolicyWebhook', (document) => openImagePolicy(document, files))
      : undefined,
  };
}

async function openImagePolicy(
  document: Document,
  { folder, model, clock, logger, opened }: PluginFiles,
): Promise<ImagePolicyWebhook> {
  const { file, ...settings } = readImagePolicy(document, model.dialect);
  return new ImagePolicyWebhook({
    settings,
    caller: openOperatorCaller(clock, opened),
    callee: await openCallee({ flag, path: resolve(folder, file), clock, logger }),
    dialect: model.dialect,
    catalog: model.catalog,
    clock,
    logger,
    random: Math.random,
  });
}

async function openCredentials(
  value: Document,
  { folder, model: { dialect }, clock }: PluginFiles,
): Promise<WebhookCredentials | undefined> {
  const path = readWebhookConfiguration(value, dialect);
  if (path === undefined) return undefined;
  const file = resolve(folder, path);
  const config = await loadClientConfig({ files: [file], isExplicit: true, isFromEnvironment: false });
  // Whatever is wrong with one of them is told at the start.
  for (const name of config.users.keys()) settingsOfUser(config, name);
  const known = new Map<string, { readonly settings: OperatorSettings | undefined; readonly atMs: number }>();
  return (host) => {
    const user = userFor(config, host);
    if (user === undefined) return undefined;
    const read = known.get(user);
    // Files that it names may be replaced.
    if (read !== undefined && clock.nowMs() - read.atMs < freshMs) return read.settings;
    const settings = settingsOfUser(config, user);
    known.set(user, { settings, atMs: clock.nowMs() });
    return settings;
  };
}

/** The entry whose name fits a host best: itself, `*.` and the end of it, `*`; else the current context's. */
function userFor({ users, contexts, currentContext }: ClientConfig, host: string): string | undefined {
  const hosts = host.endsWith(':443') ? [host, host.slice(0, -':443'.length)] : [host];
  for (const each of hosts) {
    const steps = each.split('.');
    const ends = steps.slice(1).map((_, index) => `*.${steps.slice(index + 1).join('.')}`);
    const found = [each, ...ends].find((name) => users.has(name));
    if (found !== undefined) return found;
  }
  if (users.has('*')) return '*';
  const current = contexts.get(currentContext)?.user ?? '';
  return users.has(current) ? current : undefined;
}
