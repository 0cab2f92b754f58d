/**
 * Registration of plugins of vendors (`pluginregistration`, version 1): each has a socket below a folder of the agent, is
 * asked there what it is, handed to whoever serves its type, and told how that went. Knows nothing of what plugins do.
 */
export type { PluginHandler, PluginInfo, PluginType } from './contract.ts';
export { PluginWatcher, type PluginWatcherOptions } from './plugin-watcher.ts';
