import { asJsonObject, asText, isJsonObject, type JsonObject, setOwn } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { FieldSpec, KindSelector } from './configuration.ts';

/** What a generator does about an object of its name that a base brought along. */
export type Behavior = 'create' | 'merge' | 'replace';

/** Kinds in the order in which they are to be made; all others follow. Source: kustomize 2.0, `pkg/gvk`. */
const kindOrder = [
  'Namespace',
  'StorageClass',
  'CustomResourceDefinition',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ServiceAccount',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Service',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];

/** Kinds without a namespace, as far as kustomize 2.0 knows them; it asks no server. */
const clusterKinds = new Set([
  'APIService',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'Namespace',
  'PersistentVolume',
]);

/** An object on its way through a kustomization, and under which name it started. */
export class Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Name in its file: by it others refer to it, whatever is put around it later. */
  readonly originalName: string;
  /** Its namespace as far as transformers have set it, else that of its file. */
  namespace: string;
  /** All prefixes and suffixes that were added, the outermost prefix first and the outermost suffix last. */
  prefixes: readonly string[] = [];
  suffixes: readonly string[] = [];
  object: JsonObject;
  readonly behavior: Behavior;
  /** Its name shall end in a hash of its content. */
  readonly needsHash: boolean;

  /** @throws CtlError when the object has no kind or no name. */
  constructor(object: JsonObject, made: { readonly behavior?: Behavior; readonly needsHash?: boolean } = {}) {
    const metadata = asJsonObject(object.metadata);
    const [group, version] = splitApiVersion(asText(object.apiVersion));
    this.group = group;
    this.version = version;
    this.kind = asText(object.kind);
    this.originalName = asText(metadata.name);
    this.namespace = asText(metadata.namespace);
    this.object = object;
    this.behavior = made.behavior ?? 'create';
    this.needsHash = made.needsHash ?? false;
    if (this.kind === '') throw new CtlError(`Object 'Kind' is missing in '${JSON.stringify(object)}'`);
    if (this.originalName === '') {
      throw new CtlError(`missing metadata.name in object ${JSON.stringify(object)}`);
    }
  }

  /** The name that it has now. */
  get name(): string {
    return asText(asJsonObject(this.object.metadata).name);
  }

  set name(name: string) {
    const metadata = this.object.metadata;
    if (isJsonObject(metadata)) setOwn(metadata, 'name', name);
  }

  get isClusterWide(): boolean {
    return clusterKinds.has(this.kind);
  }

  /** True when nothing that the selector names differs. */
  isSelectedBy(selector: KindSelector | FieldSpec): boolean {
    return (
      (!selector.group || selector.group === this.group) &&
      (!selector.version || selector.version === this.version) &&
      (!selector.kind || selector.kind === this.kind)
    );
  }

  /** Same kind and same original name. */
  isNamedLike(other: Pick<Resource, 'group' | 'version' | 'kind' | 'originalName'>): boolean {
    return (
      this.group === other.group &&
      this.version === other.version &&
      this.kind === other.kind &&
      this.originalName === other.originalName
    );
  }

  /** Kind, namespace, prefixes, name and suffixes as messages show them; sorts objects of one rank. */
  get id(): string {
    return [
      this.kindText,
      this.namespace || '~X',
      this.prefixes.join(':') || '~P',
      this.originalName,
      this.suffixes.join(':') || '~S',
    ].join('|');
  }

  get kindText(): string {
    return [this.group || '~G', this.version || '~V', this.kind].join('_');
  }
}

/** Group and version of `group/version` or `version`. */
export function splitApiVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** Orders objects so that what others need comes first. */
export function compareResources(a: Resource, b: Resource): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  const [left, right] = a.kindText === b.kindText ? [a.id, b.id] : [a.kindText, b.kindText];
  return left < right ? -1 : left > right ? 1 : 0;
}

function rankOf(resource: Resource): number {
  const index = kindOrder.indexOf(resource.kind);
  return index < 0 ? kindOrder.length : index;
}
