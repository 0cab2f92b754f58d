/** What kinds of plugins register through a socket. */
export type PluginType = 'CSIPlugin' | 'DevicePlugin';

/** What a plugin says of itself. */
export interface PluginInfo {
  readonly name: string;
  /** Path of the socket of its service. */
  readonly endpoint: string;
  /** Versions of its type's interface that it speaks, as it wrote them. */
  readonly versions: readonly string[];
}

/** Who serves the plugins of one type. Calls for one socket come one after another. */
export interface PluginHandler {
  /** Refuses what cannot be used, before anything is done. @throws Error whose message the plugin is told */
  validate(plugin: PluginInfo): Promise<void>;
  /** Takes the plugin into use. It is tried again after a failure. @throws Error whose message the plugin is told */
  register(plugin: PluginInfo): Promise<void>;
  /** The plugin's socket is gone, or another one has its path. @throws Error; it is tried again */
  unregister(plugin: PluginInfo): Promise<void>;
}
