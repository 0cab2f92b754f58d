import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';

/**
 * Makes the namespace of a new object when there is none, except for a dry run.
 *
 * @throws RangeError when the server gave no way to make one.
 */
export function namespaceAutoProvision({ read, options }: PluginSources): AdmissionPlugin {
  const { createNamespace } = options;
  if (createNamespace === undefined) {
    throw new RangeError('NamespaceAutoProvision: option createNamespace is missing');
  }
  return {
    name: 'NamespaceAutoProvision',
    handles: onOperations('CREATE'),
    async admit({ namespace, isDryRun }) {
      if (isDryRun || namespace === '' || (await read.currentNamespace(namespace)) !== undefined) return;
      await createNamespace(namespace);
    },
  };
}
