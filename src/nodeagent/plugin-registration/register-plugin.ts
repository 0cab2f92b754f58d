import { errorText } from '../../base/index.ts';
import { ServiceClient } from '../grpc/service-client.ts';
import type { PluginHandler, PluginInfo } from './contract.ts';
import descriptor from './protocol.json' with { type: 'json' };

/** What is told to a plugin. */
interface RegistrationStatus {
  readonly plugin_registered: boolean;
  readonly error: string;
}

interface RegistrationMethods extends Readonly<Record<string, readonly [object, object]>> {
  readonly GetInfo: readonly [
    object,
    {
      readonly type: string;
      readonly name: string;
      readonly endpoint: string;
      readonly supported_versions: readonly string[];
    },
  ];
  readonly NotifyRegistrationStatus: readonly [RegistrationStatus, object];
}

/** A plugin that is in use, and who serves it. */
export interface RegisteredPlugin {
  readonly plugin: PluginInfo;
  readonly handler: PluginHandler;
}

/** As in release 1.20. */
const infoTimeoutMs = 10_000;
const notifyTimeoutMs = 10_000;
/** Longer names and lists are refused. */
const maxNameLength = 253;
const maxVersions = 64;

/**
 * Asks the plugin behind a socket what it is, hands it to the handler of its type and tells it how that went.
 *
 * @throws Error with release 1.20's message when the plugin is not in use; it was told so, if it could be
 */
export async function registerPlugin(
  socketPath: string,
  handlers: ReadonlyMap<string, PluginHandler>,
  signal: AbortSignal,
): Promise<RegisteredPlugin> {
  using client = new ServiceClient<RegistrationMethods>(socketPath, {
    service: 'pluginregistration.Registration',
    descriptor,
  });
  const info = await client.call('GetInfo', {}, { timeoutMs: infoTimeoutMs, signal }).catch((cause) => {
    const what = `RegisterPlugin error -- failed to get plugin info using RPC GetInfo at socket ${socketPath}`;
    throw new Error(`${what}, err: ${errorText(cause)}`, { cause });
  });
  const notify = async (error: string): Promise<void> => {
    const status = { plugin_registered: error === '', error };
    const limits = { timeoutMs: notifyTimeoutMs, signal };
    await client.call('NotifyRegistrationStatus', status, limits);
  };
  const { type, name, supported_versions: versions } = info;
  const plugin = { name, endpoint: info.endpoint || socketPath, versions };
  const handler = handlers.get(type);
  const problem = await findProblem(plugin, handler, { type, socketPath });
  if (problem !== undefined || handler === undefined) {
    const refusal = new Error(`RegisterPlugin error -- ${problem}`);
    await notify(refusal.message).catch((cause) => {
      const what = `failed to send registration status at socket ${socketPath}`;
      throw new Error(`${refusal.message}; ${what}, err: ${errorText(cause)}`, { cause });
    });
    throw refusal;
  }
  // It serves, whether or not it learns so.
  await notify('').catch(() => undefined);
  return { plugin, handler };
}

async function findProblem(
  plugin: PluginInfo,
  handler: PluginHandler | undefined,
  { type, socketPath }: { readonly type: string; readonly socketPath: string },
): Promise<string | undefined> {
  if (handler === undefined) {
    return `no handler registered for plugin type: ${type.slice(0, maxNameLength)} at socket ${socketPath}`;
  }
  try {
    if (plugin.name.length > maxNameLength || plugin.versions.length > maxVersions) {
      throw new RangeError(`expected a name of at most ${maxNameLength} characters, ${maxVersions} versions`);
    }
    await handler.validate(plugin);
  } catch (error) {
    return `plugin validation failed with err: ${errorText(error)}`;
  }
  try {
    await handler.register(plugin);
    return undefined;
  } catch (error) {
    return `plugin registration failed with err: ${errorText(error)}`;
  }
}
