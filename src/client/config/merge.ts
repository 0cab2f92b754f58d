import type { ClientConfig } from './model.ts';

/** Merges configurations: the first one to name an entry or a current context wins. */
export function mergeClientConfigs(configs: readonly ClientConfig[]): ClientConfig {
  return {
    clusters: mergeMaps(configs.map((config) => config.clusters)),
    users: mergeMaps(configs.map((config) => config.users)),
    contexts: mergeMaps(configs.map((config) => config.contexts)),
    currentContext: configs.find((config) => config.currentContext !== '')?.currentContext ?? '',
    preferences: configs.find(({ preferences }) => preferences !== undefined)?.preferences,
    extensions: configs.find(({ extensions }) => extensions !== undefined)?.extensions,
  };
}

function mergeMaps<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  const merged = new Map<string, T>();
  for (const map of maps) for (const [name, entry] of map) if (!merged.has(name)) merged.set(name, entry);
  return merged;
}
