import { podReferences, volumeSecrets } from '../../../apis/core/index.ts';
import type { Node, PersistentVolume, Pod } from '../../../apis/types/core-v1.ts';
import type { VolumeAttachment } from '../../../apis/types/storage-v1.ts';

/** Kinds of objects that pods lead to. */
type Reached = 'secret' | 'configMap' | 'claim' | 'serviceAccount';

/** A pod on a node and what it leads to. */
interface PlacedPod {
  readonly node: string;
  readonly keys: readonly string[];
}

/** What a volume is for, and what it needs. */
interface PlacedVolume {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/**
 * Which objects nodes may read, because something on them needs these: pods lead to secrets, config maps, service
 * accounts and claims, claims to volumes, volumes to secrets, attachments and nodes to volumes and config maps. Each
 * question takes a few look-ups, whatever the number of pods.
 */
export class NodeGraph {
  readonly #mirrorAnnotation: string;
  readonly #pods = new Map<string, PlacedPod>();
  /** How many pods of each node lead to an object, by its key. */
  readonly #users = new Map<string, Map<string, number>>();
  readonly #volumes = new Map<string, PlacedVolume>();
  /** Volumes that need a secret, by its key. */
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  readonly #nodeOfAttachment = new Map<string, string>();
  /** The config map that each node is configured by. */
  readonly #configOfNode = new Map<string, string>();

  constructor(mirrorAnnotation: string) {
    this.#mirrorAnnotation = mirrorAnnotation;
  }

  /** Whether a pod of the node leads to the object, or for a secret one of its volumes. */
  reaches(node: string, kind: Reached, namespace: string, name: string): boolean {
    const key = keyOf(kind, namespace, name);
    if (this.#users.get(key)?.has(node) === true) return true;
    if (kind === 'configMap') return this.#configOfNode.get(node) === key;
    if (kind !== 'secret') return false;
    for (const volume of this.#volumesOfSecret.get(key) ?? [])
      if (this.reachesVolume(node, volume)) return true;
    return false;
  }

  /** Whether a pod of the node uses the claim of the volume. */
  reachesVolume(node: string, volume: string): boolean {
    const claim = this.#volumes.get(volume)?.claim;
    return claim !== undefined && this.#users.get(claim)?.has(node) === true;
  }

  /** Whether the attachment is one to this node. */
  reachesAttachment(node: string, attachment: string): boolean {
    return this.#nodeOfAttachment.get(attachment) === node;
  }

  setPod(key: string, pod: Pod | undefined): void {
    const old = this.#pods.get(key);
    if (old !== undefined) this.#forgetPod(key, old);
    const node = pod?.spec.nodeName ?? '';
    if (pod === undefined || node === '') return;
    const placed = { node, keys: this.#keysOf(pod) };
    this.#pods.set(key, placed);
    for (const reached of placed.keys) {
      const users = this.#users.get(reached) ?? new Map<string, number>();
      users.set(node, (users.get(node) ?? 0) + 1);
      this.#users.set(reached, users);
    }
  }

  setVolume(name: string, volume: PersistentVolume | undefined): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) {
      const volumes = this.#volumesOfSecret.get(secret);
      volumes?.delete(name);
      if (volumes?.size === 0) this.#volumesOfSecret.delete(secret);
    }
    this.#volumes.delete(name);
    const { claimRef } = volume?.spec ?? {};
    if (volume === undefined || claimRef === undefined) return;
    const secrets = volumeSecrets(volume).map((secret) => keyOf('secret', secret.namespace, secret.name));
    this.#volumes.set(name, {
      claim: keyOf('claim', claimRef.namespace ?? '', claimRef.name ?? ''),
      secrets,
    });
    for (const secret of secrets) {
      const volumes = this.#volumesOfSecret.get(secret) ?? new Set<string>();
      this.#volumesOfSecret.set(secret, volumes.add(name));
    }
  }

  setAttachment(name: string, attachment: VolumeAttachment | undefined): void {
    if (attachment === undefined) this.#nodeOfAttachment.delete(name);
    else this.#nodeOfAttachment.set(name, attachment.spec.nodeName);
  }

  setNode(name: string, node: Node | undefined): void {
    const source = node?.spec.configSource?.configMap;
    if (source === undefined) this.#configOfNode.delete(name);
    else this.#configOfNode.set(name, keyOf('configMap', source.namespace, source.name));
  }

  /** Agents write mirror pods themselves: these lead nowhere. */
  #keysOf(pod: Pod): string[] {
    const { annotations = {}, namespace = '' } = pod.metadata;
    if (Object.hasOwn(annotations, this.#mirrorAnnotation)) return [];
    const { secrets, configMaps, claims } = podReferences(pod);
    const { serviceAccountName = '' } = pod.spec;
    const keys = [
      ...secrets.map((name) => keyOf('secret', namespace, name)),
      ...configMaps.map((name) => keyOf('configMap', namespace, name)),
      ...claims.map((name) => keyOf('claim', namespace, name)),
      ...(serviceAccountName === '' ? [] : [keyOf('serviceAccount', namespace, serviceAccountName)]),
    ];
    return [...new Set(keys)];
  }

  #forgetPod(key: string, { node, keys }: PlacedPod): void {
    this.#pods.delete(key);
    for (const reached of keys) {
      const users = this.#users.get(reached);
      const left = (users?.get(node) ?? 0) - 1;
      if (left > 0) users?.set(node, left);
      else users?.delete(node);
      if (users?.size === 0) this.#users.delete(reached);
    }
  }
}

const keyOf = (kind: Reached, namespace: string, name: string): string => `${kind} ${namespace}/${name}`;
