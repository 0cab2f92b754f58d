import { storageClassName } from '../../../src/apis/core/index.ts';
import { kindsOnNode, migratedKinds } from '../../../src/apis/csi-migration/index.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../src/apis/types/core-v1.ts';
import type { CSINode, StorageClass } from '../../../src/apis/types/storage-v1.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import type { LabelSelector } from '../../../src/machinery/selectors/index.ts';
import { Cluster } from '../../../src/scheduler/cluster.ts';
import { type Placement, placePod } from '../../../src/scheduler/place.ts';
import { describePod, type PodInfo } from '../../../src/scheduler/pod-info.ts';
import { noVolumeObjects } from '../../../src/scheduler/volume-objects.ts';

/** What is said of a pod; the rest is usual. */
export interface PodParts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly requests?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly metadata?: object;
  readonly status?: object;
  readonly priority?: number;
}

let lastUid = 0;

export function podOf(name: string, parts: PodParts = {}): PodInfo {
  const { labels = {}, namespace = 'default', requests = {}, spec = {}, metadata = {}, status = {} } = parts;
  const pod = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace, uid: `uid-${++lastUid}`, labels, ...metadata },
    spec: {
      containers: [{ name: 'c', image: 'i', resources: { requests } }],
      priority: parts.priority ?? 0,
      ...spec,
    },
    status,
  };
  return describePod(pod as unknown as Pod); // what pods have that is looked at
}

/** What is said of a node; it has the label of its name and much room. */
export interface NodeParts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly images?: readonly object[];
}

export function nodeOf(name: string, parts: NodeParts = {}): Node {
  const { labels = {}, allocatable = {}, spec = {}, annotations = {}, images = [] } = parts;
  const node = {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name, labels: { 'orch.io/hostname': name, ...labels }, annotations },
    spec,
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable }, images },
  };
  return node as unknown as Node; // what nodes have that is looked at
}

export interface ClusterParts {
  readonly claims?: readonly object[];
  readonly volumes?: readonly object[];
  readonly classes?: readonly object[];
  /** With them, all gates leave volumes to drivers. */
  readonly csiNodes?: readonly object[];
  readonly groupOf?: (pod: PodInfo) => LabelSelector | undefined;
}

/** A cluster with these nodes; pods by the name of their node. */
export function clusterOf(
  nodes: readonly Node[],
  pods: Readonly<Record<string, readonly PodInfo[]>> = {},
  { claims = [], volumes = [], classes = [], csiNodes = [], groupOf = () => undefined }: ClusterParts = {},
): Cluster {
  // Each list has objects of one kind.
  const all = {
    claims: claims as PersistentVolumeClaim[],
    volumes: volumes as PersistentVolume[],
    classes: classes as StorageClass[],
    csiNodes: csiNodes as CSINode[],
  };
  const csiNode = (name: string) => all.csiNodes.find(({ metadata }) => metadata.name === name);
  const cluster = new Cluster(orchDialect, {
    groupOf,
    volumes: {
      ...noVolumeObjects,
      claim: (_namespace, name) => all.claims.find(({ metadata }) => metadata.name === name),
      volume: (name) => all.volumes.find(({ metadata }) => metadata.name === name),
      storageClass: (name) => all.classes.find(({ metadata }) => metadata.name === name),
      csiNode,
      migratedKinds: csiNodes.length === 0 ? [] : migratedKinds,
      migratedOn(name) {
        const found = csiNode(name);
        return found === undefined ? [] : kindsOnNode(found, migratedKinds, orchDialect);
      },
      volumesOfClass: (name) =>
        all.volumes.filter((volume) => storageClassName(volume, orchDialect) === name),
    },
  });
  for (const node of nodes) cluster.setNode(node);
  for (const [node, list] of Object.entries(pods)) for (const pod of list) cluster.setPod(pod, node);
  return cluster;
}

export const place = (pod: PodInfo, cluster: Cluster): Placement =>
  placePod(pod, cluster, { random: () => 0, cursor: { next: 0 } });

/** The node's name, or the message. */
export function outcome(pod: PodInfo, cluster: Cluster): string {
  const placement = place(pod, cluster);
  return placement.kind === 'placed' ? placement.node.name : placement.message;
}
