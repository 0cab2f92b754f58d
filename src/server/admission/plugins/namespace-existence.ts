import { notFound } from '../../../machinery/errors/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';

/** Refuses every write in a namespace that does not exist. */
export function namespaceExists({ read }: PluginSources): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    handles: onOperations('CREATE', 'UPDATE', 'DELETE'),
    async validate({ namespace }) {
      if (namespace === '' || (await read.currentNamespace(namespace)) !== undefined) return;
      throw notFound({ group: '', resource: 'namespaces' }, namespace);
    },
  };
}

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
