import type { Pod, PodAffinityTerm } from '../apis/types/core-v1.ts';
import {
  type LabelSelector,
  labelSelectorFromObject,
  nothing,
  SelectorError,
} from '../machinery/selectors/index.ts';
import { type Amounts, podAmounts, scoredAmounts } from './amounts.ts';

/** Pods that a pod wants near or far. */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  readonly selector: LabelSelector;
  readonly topologyKey: string;
}

/** How much it wants that. */
export interface WeightedTerm extends AffinityTerm {
  readonly weight: number;
}

/** A port of the node that a pod takes. */
export interface HostPort {
  /** `TCP 80` */
  readonly key: string;
  readonly address: string;
}

/** A pod with all that filters and scores ask about, computed once. Never changed. */
export interface PodInfo {
  /** `NAMESPACE/NAME` */
  readonly key: string;
  readonly uid: string;
  readonly pod: Pod;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly requests: Amounts;
  /** For scores: no container asks for none of these. */
  readonly scored: { readonly cpu: number; readonly memory: number };
  /** The same while it has no place. */
  readonly scoredUnplaced: { readonly cpu: number; readonly memory: number };
  readonly hostPorts: readonly HostPort[];
  readonly near: readonly AffinityTerm[];
  readonly far: readonly AffinityTerm[];
  readonly preferredNear: readonly WeightedTerm[];
  readonly preferredFar: readonly WeightedTerm[];
}

const none: readonly never[] = [];

/** What there is to know of a pod. */
export function describePod(pod: Pod): PodInfo {
  const { metadata, spec } = pod;
  const { namespace = '', name = '', uid = '' } = metadata;
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const term = (given: PodAffinityTerm) => compileTerm(given, namespace);
  const weighted = ({ weight, podAffinityTerm }: { weight: number; podAffinityTerm: PodAffinityTerm }) => ({
    ...compileTerm(podAffinityTerm, namespace),
    weight,
  });
  const scored = scoredAmounts(spec, { isPlaced: true });
  return {
    key: `${namespace}/${name}`,
    uid,
    pod,
    namespace,
    labels: metadata.labels ?? {},
    priority: spec.priority ?? 0,
    requests: podAmounts(spec),
    scored,
    scoredUnplaced: spec.overhead === undefined ? scored : scoredAmounts(spec, { isPlaced: false }),
    hostPorts: hostPortsOf(pod),
    near: podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.map(term) ?? none,
    far: podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.map(term) ?? none,
    preferredNear: podAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.map(weighted) ?? none,
    preferredFar: podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.map(weighted) ?? none,
  };
}

function compileTerm({ namespaces, labelSelector, topologyKey }: PodAffinityTerm, own: string): AffinityTerm {
  return {
    namespaces: new Set(namespaces === undefined || namespaces.length === 0 ? [own] : namespaces),
    selector: compileSelector(labelSelector),
    topologyKey,
  };
}

/** One that makes no sense selects nothing: the server lets none in. */
export function compileSelector(selector: Parameters<typeof labelSelectorFromObject>[0]): LabelSelector {
  try {
    return labelSelectorFromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) return nothing;
    throw error;
  }
}

export const matchesTerm = ({ namespaces, selector }: AffinityTerm, pod: PodInfo): boolean =>
  namespaces.has(pod.namespace) && selector.matches(pod.labels);

const anyAddress = '0.0.0.0';

function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const ports: HostPort[] = [];
  for (const container of spec.containers ?? []) {
    for (const { hostPort = 0, protocol = 'TCP', hostIP } of container.ports ?? []) {
      if (hostPort > 0) ports.push({ key: `${protocol} ${hostPort}`, address: hostIP || anyAddress });
    }
  }
  return ports.length === 0 ? none : ports;
}

/** Whether two pods cannot have their ports of one node. */
export const portsConflict = (a: HostPort, b: HostPort): boolean =>
  a.key === b.key && (a.address === b.address || a.address === anyAddress || b.address === anyAddress);

/** Whether a pod takes nothing of its node any more. */
export const hasEnded = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';
