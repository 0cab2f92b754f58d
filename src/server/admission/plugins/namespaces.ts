import type { Namespace } from '../../../apis/types/core-v1.ts';
import { forbidden, notFound, type StatusError } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { refuse } from '../refusal.ts';

const namespaces = { group: '', resource: 'namespaces' };

/**
 * Refuses objects in namespaces that do not exist or are being deleted, and the deletion of the namespaces that a
 * cluster cannot do without. Any other deletion passes, so that a namespace can be emptied.
 */
export function namespaceLifecycle({ dialect, read }: PluginSources): AdmissionPlugin {
  const immortal: ReadonlySet<string> = new Set([
    'default',
    dialect.systemNamespace,
    dialect.publicNamespace,
  ]);
  const authorizationGroup = dialect.group('authorization');
  async function admitLate(attributes: AdmissionAttributes): Promise<void> {
    const found = await read.currentNamespace(attributes.namespace);
    if (found === undefined) throw notFound(namespaces, attributes.namespace);
    checkPhase(attributes, found);
  }
  return {
    name: 'NamespaceLifecycle',
    handles: onOperations('CREATE', 'UPDATE', 'DELETE'),
    admit(attributes) {
      const { operation, resource, namespace, name } = attributes;
      if (resource.resource === 'namespaces' && resource.group === '') {
        if (operation === 'DELETE' && immortal.has(name)) {
          throw forbidden(namespaces, name, 'this namespace may not be deleted');
        }
        return;
      }
      if (namespace === '' || operation === 'DELETE') return;
      // Reviews ask about a namespace and put nothing into it.
      if (resource.group === authorizationGroup && resource.resource === 'localsubjectaccessreviews') return;
      const found = read.namespace(namespace);
      // Every write passes here: only a namespace that is not found is worth waiting for other processes' writes.
      if (found === undefined) return admitLate(attributes);
      checkPhase(attributes, found);
    },
  };
}

function checkPhase(attributes: AdmissionAttributes, { status }: Namespace): void {
  if (attributes.operation === 'CREATE' && status.phase === 'Terminating') throw isTerminating(attributes);
}

function isTerminating(attributes: AdmissionAttributes): StatusError {
  const { namespace } = attributes;
  const error = refuse(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  error.status.details = { ...error.status.details, causes: [cause] };
  return error;
}

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
