import { join } from 'node:path';
import { PluginWatcher, type PluginWatcherOptions } from '../../nodeagent/plugin-registration/index.ts';
import type { AgentBase } from './agent-base.ts';

/**
 * Begins to take plugins of vendors into use that put their sockets below the agent's root folder; undefined for a
 * single run, which ends before one could serve.
 *
 * @throws Error when the folder cannot be made
 */
export async function startPlugins(
  { config, clock, logger }: AgentBase,
  handlers: PluginWatcherOptions['handlers'],
): Promise<AsyncDisposable | undefined> {
  if (config.runOnce) return undefined;
  const folder = join(config.rootDir, 'plugins_registry');
  const watcher = new PluginWatcher({ folder, handlers, clock, logger });
  await watcher.start();
  return watcher;
}
