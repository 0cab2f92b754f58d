import { dirname, resolve } from 'node:path';
import { type Clock, errorText } from '../base/index.ts';
import { type ClientConfig, loadClientConfig } from '../client/config/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import {
  type PluginConfiguration,
  parseDocument,
  readAdmissionConfiguration,
  readWebhookConfiguration,
} from '../server/admission/index.ts';
import type { OperatorSettings } from '../server/callouts/index.ts';
import type { ApiModel } from './api-model.ts';
import { freshMs, settingsOfUser } from './open-callee.ts';
import { readFlagFile } from './read-flag-file.ts';

/** Credentials for the webhook at `host` (with its port), of the file that configures admission. */
export type WebhookCredentials = (host: string) => OperatorSettings | undefined;

/** What the file of `--admission-control-config-file` says, by plugin. */
export interface AdmissionFiles {
  readonly mutating: WebhookCredentials | undefined;
  readonly validating: WebhookCredentials | undefined;
}

/** What admission is opened with. */
export interface AdmissionSources {
  readonly config: ServeConfig;
  readonly model: Pick<ApiModel, 'dialect'>;
  readonly clock: Clock;
}

const flag = 'admission-control-config-file';

/**
 * Reads the file that configures admission plugins, and what it names; relative paths begin at its folder.
 *
 * @throws Error that names flag and file, when it cannot be used or configures a plugin that reads no configuration here.
 */
export async function openAdmission({
  config,
  model: { dialect },
  clock,
}: AdmissionSources): Promise<AdmissionFiles> {
  const path = config.admissionControlConfigFile;
  if (path === undefined) return { mutating: undefined, validating: undefined };
  const text = await readFlagFile(flag, path);
  try {
    const { MutatingAdmissionWebhook, ValidatingAdmissionWebhook, ...others } = Object.fromEntries(
      readAdmissionConfiguration(text, dialect),
    );
    const [unread] = Object.keys(others);
    if (unread !== undefined) throw new Error(`plugins: ${unread} takes no configuration in this version`);
    const open = async (plugin: PluginConfiguration | undefined) =>
      plugin && (await openCredentials(plugin, { folder: dirname(path), dialect, clock }));
    return {
      mutating: await open(MutatingAdmissionWebhook),
      validating: await open(ValidatingAdmissionWebhook),
    };
  } catch (cause) {
    throw new Error(`--${flag}: ${path}: ${errorText(cause)}`, { cause });
  }
}

async function openCredentials(
  plugin: PluginConfiguration,
  { folder, dialect, clock }: { readonly folder: string; readonly dialect: Dialect; readonly clock: Clock },
): Promise<WebhookCredentials | undefined> {
  const value =
    plugin.kind === 'value'
      ? plugin.value
      : parseDocument(await readFlagFile(flag, resolve(folder, plugin.path)));
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
