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
