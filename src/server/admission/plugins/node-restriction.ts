import type { TokenRequest } from '../../../apis/types/authentication-v1.ts';
import type { Node, PersistentVolumeClaim } from '../../../apis/types/core-v1.ts';
import { deepEqual } from '../../../apis/validation/index.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import { nodeNameOf } from '../../authentication/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { objectsOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';
import { changedLabels, forbiddenNodeLabels } from './node-labels.ts';
import { admitNodePod, requirePod } from './node-pods.ts';

type Check = (node: string, attributes: AdmissionAttributes) => void;

/**
 * NodeRestriction: agents write only what is theirs: their Node, lease and CSINode, pods on their node, tokens for these.
 * Source: "Using Admission Controllers", NodeRestriction; `plugin/pkg/admission/noderestriction`.
 */
export function nodeRestriction(sources: PluginSources): AdmissionPlugin {
  const { dialect, read } = sources;
  const { nodeLeaseNamespace } = dialect;
  const checks = new Map<string, Check>([
    ['/pods', (node, attributes) => admitNodePod(node, attributes, { dialect, read })],
    ['/nodes', nodeCheck(sources)],
    ['/persistentvolumeclaims', claimCheck(sources)],
    ['/serviceaccounts', tokenCheck(sources)],
    [
      `${dialect.group('coordination')}/leases`,
      (node, attributes) => {
        if (attributes.namespace !== nodeLeaseNamespace) {
          const text = `can only access leases in the ${quoteGo(nodeLeaseNamespace)} system namespace`;
          throw refuse(attributes, text);
        }
        requireOwn(node, attributes, 'node lease');
      },
    ],
    [`${dialect.group('storage')}/csinodes`, (node, attributes) => requireOwn(node, attributes, 'CSINode')],
  ]);
  return {
    name: 'NodeRestriction',
    handles: onOperations('CREATE', 'UPDATE', 'DELETE'),
    admit(attributes) {
      const { user, resource } = attributes;
      const node = nodeNameOf(user);
      if (node === undefined) return;
      if (node === '') throw refuse(attributes, `could not determine node from user ${quoteGo(user.name)}`);
      checks.get(`${resource.group}/${resource.resource}`)?.(node, attributes);
    },
  };
}

function requireOwn(node: string, attributes: AdmissionAttributes, what: string): void {
  const name = attributes.operation === 'CREATE' ? attributes.object?.metadata.name : attributes.name;
  if (name === node) return;
  throw refuse(attributes, `can only access ${what} with the same name as the requesting node`);
}

/** Agents register and update their own Node, but not what draws pods to it, nor what lets them read more. */
function nodeCheck({ dialect }: Pick<PluginSources, 'dialect'>): Check {
  const forbidden = forbiddenNodeLabels(dialect);
  return (name, attributes) => {
    const shown = `node ${quoteGo(name)}`;
    if (attributes.name !== name) {
      throw refuse(attributes, `${shown} is not allowed to modify node ${quoteGo(attributes.name)}`);
    }
    const { object: node, oldObject: oldNode } = objectsOf<Node>(attributes);
    if (attributes.operation === 'CREATE' && node !== undefined) {
      if (node.spec.configSource !== undefined) {
        throw refuse(attributes, `${shown} is not allowed to create pods with a non-nil configSource`);
      }
      const labels = forbidden(changedLabels(node.metadata.labels, {}));
      if (labels.length > 0) {
        throw refuse(attributes, `${shown} is not allowed to set the following labels: ${labels.join(', ')}`);
      }
    }
    if (attributes.operation !== 'UPDATE' || node === undefined || oldNode === undefined) return;
    const { configSource } = node.spec;
    if (configSource !== undefined && !deepEqual(configSource, oldNode.spec.configSource)) {
      throw refuse(
        attributes,
        `${shown} is not allowed to update configSource to a new non-nil configSource`,
      );
    }
    if (!deepEqual(node.spec.taints ?? [], oldNode.spec.taints ?? [])) {
      throw refuse(attributes, `${shown} is not allowed to modify taints`);
    }
    const labels = forbidden(changedLabels(node.metadata.labels, oldNode.metadata.labels));
    if (labels.length > 0) {
      throw refuse(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
    }
  };
}

/** Of claims, agents write the capacity and the conditions only, when a volume grows. */
function claimCheck({ gates }: Pick<PluginSources, 'gates'>): Check {
  return (node, attributes) => {
    const { operation, subresource } = attributes;
    const { object, oldObject } = objectsOf<PersistentVolumeClaim>(attributes);
    if (subresource !== 'status') throw refuse(attributes, 'may only update PVC status');
    if (operation !== 'UPDATE') throw refuse(attributes, `unexpected operation ${quoteGo(operation)}`);
    const shown = `node ${quoteGo(node)} is not allowed to update`;
    if (!gates.has('ExpandPersistentVolumes'))
      throw refuse(attributes, `${shown} persistentvolumeclaim metadata`);
    if (deepEqual(withoutGrowth(object), withoutGrowth(oldObject))) return;
    throw refuse(attributes, `${shown} fields other than status.capacity and status.conditions`);
  };
}

function withoutGrowth(object: Partial<PersistentVolumeClaim> = {}): unknown {
  const { metadata, status, ...rest } = object;
  const { capacity: _c, conditions: _n, ...keptStatus } = status ?? {};
  const { resourceVersion: _r, managedFields: _m, ...keptMetadata } = metadata ?? {};
  return { ...rest, metadata: keptMetadata, status: keptStatus };
}

/** Agents ask for tokens that are bound to pods on their node. */
function tokenCheck({ read }: Pick<PluginSources, 'read'>): Check {
  return (node, attributes) => {
    const { operation, subresource, namespace } = attributes;
    if (operation !== 'CREATE' || subresource !== 'token') return;
    const bound = objectsOf<TokenRequest>(attributes).object?.spec.boundObjectRef;
    if (bound?.apiVersion !== 'v1' || bound.kind !== 'Pod' || !bound.name) {
      throw refuse(attributes, 'node requested token not bound to a pod');
    }
    if (!bound.uid) throw refuse(attributes, 'node requested token with a pod binding without a uid');
    const pod = requirePod(read, namespace, bound.name);
    const { uid = '' } = pod.metadata;
    if (bound.uid !== uid) {
      const text = `the UID in the bound object reference (${bound.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
      throw refuse(attributes, text);
    }
    if (pod.spec.nodeName !== node) {
      throw refuse(attributes, 'node requested token bound to a pod scheduled on a different node');
    }
  };
}
