import { nodeTermMatcher, tolerates } from '../../apis/core/index.ts';
import { asJsonObject, isJsonObject } from '../../base/index.ts';
import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import { maxScore, normalize, type ScorePlugin } from './score.ts';

/** Share of a resource that is left when the pod is there, of 100. */
function leftOf(capacity: number, requested: number): number {
  if (capacity === 0 || requested > capacity) return 0;
  return Math.trunc(((capacity - requested) * maxScore) / capacity);
}

/** The nodes with most left. */
export const leastAllocatedScore: ScorePlugin = ({ scoredUnplaced: scored }, nodes) =>
  nodes.map((node) => {
    const of = (name: 'cpu' | 'memory') =>
      leftOf(node.allocatable.get(name) ?? 0, node.scored[name] + scored[name]);
    return Math.trunc((of('cpu') + of('memory')) / 2);
  });

/** The nodes where CPU and memory are used up alike. */
export const balancedScore: ScorePlugin = ({ scoredUnplaced: scored }, nodes) =>
  nodes.map((node) => {
    const of = (name: 'cpu' | 'memory') => {
      const capacity = node.allocatable.get(name) ?? 0;
      return capacity === 0 ? 1 : (node.scored[name] + scored[name]) / capacity;
    };
    const [cpu, memory] = [of('cpu'), of('memory')];
    return cpu >= 1 || memory >= 1 ? 0 : Math.trunc((1 - Math.abs(cpu - memory)) * maxScore);
  });

const mebibyte = 1024 * 1024;
/** Images of less are loaded soon; more than the most per container counts no more. Source: release 1.20, `imagelocality`. */
const imageBounds = { least: 23 * mebibyte, most: 1000 * mebibyte };

/** The nodes that have the pod's images, those that many have less. */
export const imageScore: ScorePlugin = ({ pod }, nodes, cluster) => {
  const images = (pod.spec.containers ?? []).map(({ image = '' }) => withTag(image));
  const most = imageBounds.most * images.length;
  return nodes.map(({ name }) => {
    const sum = images.reduce((total, image) => total + imageShare(image, name, cluster), 0);
    const bounded = Math.min(Math.max(sum, imageBounds.least), most);
    return Math.trunc((maxScore * (bounded - imageBounds.least)) / (most - imageBounds.least));
  });
};

function imageShare(image: string, node: string, cluster: Cluster): number {
  const found = cluster.image(image, node);
  return found === undefined ? 0 : Math.trunc(found.size * (found.nodes / cluster.nodes().length));
}

/** Nodes list images with their tags. */
const withTag = (image: string): string =>
  image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;

/** Labels that the pod prefers. */
export const preferredAffinityScore: ScorePlugin = ({ pod }, nodes) => {
  const given = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const terms = given.map(({ weight, preference }) => ({ weight, matches: nodeTermMatcher(preference) }));
  if (terms.length === 0) return undefined;
  const sum = (node: NodeInfo) =>
    terms.reduce((total, { weight, matches }) => (matches(node) ? total + weight : total), 0);
  return normalize(nodes.map(sum), false);
};

/** Nodes with fewer taints that ask pods to stay away. */
export const taintScore: ScorePlugin = ({ pod }, nodes) => {
  const tolerations = (pod.spec.tolerations ?? []).filter(
    ({ effect }) => !effect || effect === 'PreferNoSchedule',
  );
  const counts = nodes.map(
    ({ taints }) =>
      taints.filter(
        (taint) => taint.effect === 'PreferNoSchedule' && !tolerations.some((each) => tolerates(each, taint)),
      ).length,
  );
  return normalize(counts, true);
};

/** Not the nodes whose annotation names the pod's controller. Source: release 1.20, `nodepreferavoidpods`. */
export const preferAvoidScore: ScorePlugin = ({ pod }, nodes, { dialect }) => {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.kind !== 'ReplicationController' && owner?.kind !== 'ReplicaSet') return undefined;
  const annotation = dialect.domain('scheduler.alpha', 'preferAvoidPods');
  return nodes.map(({ node }) => {
    const text = node?.metadata.annotations?.[annotation];
    const isAvoided =
      text !== undefined && avoided(text).some(({ kind, uid }) => kind === owner.kind && uid === owner.uid);
    return isAvoided ? 0 : maxScore;
  });
};

/** Controllers that an annotation names; none when it says nothing that makes sense. */
function avoided(text: string): readonly { readonly kind?: unknown; readonly uid?: unknown }[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  if (!isJsonObject(value)) return [];
  const { preferAvoidPods } = value;
  if (!Array.isArray(preferAvoidPods)) return [];
  return preferAvoidPods.map((entry) =>
    asJsonObject(asJsonObject(asJsonObject(entry).podSignature).podController),
  );
}
