import type { Config } from '@oclif/core';

/**
 * What oclif knows of orch's commands and of linked plugins. Loading oclif takes longer than most commands of orch, so that
 * they are run without it: this is for everything else.
 */
export async function openOclif(): Promise<Config> {
  const [{ Config }, { settings }] = await Promise.all([
    import('@oclif/core/config'),
    import('@oclif/core/settings'),
  ]);
  // Plugins run as they were built: oclif would look for a compiler, and warn that there is none.
  settings.enableAutoTranspile = false;
  // oclif looks for the package above this folder, in the sources as in what was built of them.
  return Config.load({ root: import.meta.dirname });
}
