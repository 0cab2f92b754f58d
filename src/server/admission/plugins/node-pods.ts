import { podReferences } from '../../../apis/core/index.ts';
import type { Pod } from '../../../apis/types/core-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { notFound, quoteGo } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import { objectsOf } from '../pod-attributes.ts';
import type { AdmissionReader } from '../reader.ts';
import { refuse } from '../refusal.ts';
import { changedLabels } from './node-labels.ts';

/** What agents may do with pods is checked with. */
export interface NodePodsOptions {
  readonly dialect: Dialect;
  readonly read: AdmissionReader;
}

/** A pod that is there. @throws StatusError 404 */
export function requirePod(read: AdmissionReader, namespace: string, name: string): Pod {
  const pod = read.get<Pod>('', 'pods', namespace, name);
  if (pod === undefined) throw notFound({ group: '', resource: 'pod' }, name);
  return pod;
}

/** Agents create mirror pods and delete pods, on their own node. @throws StatusError 403 or 404 */
export function admitNodePod(node: string, attributes: AdmissionAttributes, options: NodePodsOptions): void {
  const { operation, subresource } = attributes;
  if (subresource === 'status') admitPodStatus(node, attributes);
  else if (subresource === 'eviction') admitEviction(node, attributes, options);
  else if (subresource !== '') {
    const text = `unexpected pod subresource ${quoteGo(subresource)}, only 'status' and 'eviction' are allowed`;
    throw refuse(attributes, text);
  } else if (operation === 'CREATE') admitMirrorPod(node, attributes, options);
  else if (operation === 'DELETE') admitDeletion(node, attributes, options);
  else {
    const what = `node ${quoteGo(node)} can only create and delete mirror pods`;
    throw refuse(attributes, `unexpected operation ${quoteGo(operation)}, ${what}`);
  }
}

function admitDeletion(node: string, attributes: AdmissionAttributes, { read }: NodePodsOptions): void {
  const { namespace, name } = attributes;
  const pod = objectsOf<Pod>(attributes).oldObject ?? requirePod(read, namespace, name);
  if (pod.spec.nodeName === node) return;
  throw refuse(attributes, `node ${quoteGo(node)} can only delete pods with spec.nodeName set to itself`);
}

function admitEviction(node: string, attributes: AdmissionAttributes, { read }: NodePodsOptions): void {
  const { operation, namespace, name, object } = attributes;
  if (operation !== 'CREATE') throw refuse(attributes, `unexpected operation ${operation}`);
  const pod = requirePod(read, namespace, name || (object?.metadata.name ?? ''));
  if (pod.spec.nodeName === node) return;
  throw refuse(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}

function admitPodStatus(node: string, attributes: AdmissionAttributes): void {
  const { operation } = attributes;
  if (operation !== 'UPDATE') throw refuse(attributes, `unexpected operation ${quoteGo(operation)}`);
  const { oldObject: oldPod, object: pod } = objectsOf<Pod>(attributes);
  if (oldPod?.spec.nodeName !== node) {
    const text = `node ${quoteGo(node)} can only update pod status for pods with spec.nodeName set to itself`;
    throw refuse(attributes, text);
  }
  if (changedLabels(oldPod.metadata.labels, pod?.metadata.labels).size > 0) {
    throw refuse(attributes, `node ${quoteGo(node)} cannot update labels through pod status`);
  }
}

function admitMirrorPod(node: string, attributes: AdmissionAttributes, options: NodePodsOptions): void {
  const { object: pod } = objectsOf<Pod>(attributes);
  if (pod === undefined) return;
  const shown = `node ${quoteGo(node)}`;
  const annotation = options.dialect.label('config.mirror');
  if (!Object.hasOwn(pod.metadata.annotations ?? {}, annotation)) {
    const text = `pod does not have ${quoteGo(annotation)} annotation, ${shown} can only create mirror pods`;
    throw refuse(attributes, text);
  }
  if (pod.spec.nodeName !== node) {
    throw refuse(attributes, `${shown} can only create pods with spec.nodeName set to itself`);
  }
  const problem = ownerProblem(node, pod, options.read) ?? referenceProblem(pod);
  if (problem === undefined) return;
  throw refuse(attributes, problem.startsWith('node ') ? problem : `${shown} ${problem}`);
}

/** @throws StatusError 404 when there is no such node. */
function ownerProblem(name: string, { metadata }: Pod, read: AdmissionReader): string | undefined {
  const [owner, ...others] = metadata.ownerReferences ?? [];
  if (others.length > 0) return 'can only create pods with a single owner reference set to itself';
  const { apiVersion, kind, controller, blockOwnerDeletion } = owner ?? {};
  if (owner === undefined || apiVersion !== 'v1' || kind !== 'Node' || owner.name !== name) {
    return 'can only create pods with an owner reference set to itself';
  }
  if (controller !== true) return 'can only create pods with a controller owner reference set to itself';
  if (blockOwnerDeletion === true) return 'must not set blockOwnerDeletion on an owner reference';
  const node = read.get('', 'nodes', '', name);
  if (node === undefined) throw notFound({ group: '', resource: 'node' }, name);
  const { uid = '' } = node.metadata;
  return owner.uid === uid ? undefined : `node ${name} UID mismatch: expected ${owner.uid} got ${uid}`;
}

function referenceProblem(pod: Pod): string | undefined {
  const { secrets, configMaps } = podReferences(pod);
  if (pod.spec.serviceAccountName) return 'can not create pods that reference a service account';
  if (secrets.length > 0) return 'can not create pods that reference secrets';
  if (configMaps.length > 0) return 'can not create pods that reference configmaps';
  return pod.spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)
    ? 'can not create pods that reference persistentvolumeclaims'
    : undefined;
}
