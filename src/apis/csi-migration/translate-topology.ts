import { ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { NodeSelectorTerm, PersistentVolume } from '../types/core-v1.ts';

type NodeAffinity = PersistentVolume['spec']['nodeAffinity'];
type Terms = readonly NodeSelectorTerm[];

/** Zones that a volume's labels name, joined by `__`; empty without such a label. */
export function zonesOfLabels({ metadata }: PersistentVolume, dialect: Dialect): string {
  const { labels = {} } = metadata;
  return (
    zoneLabels(dialect)
      .map((label) => ownValue(labels, label))
      .find(Boolean) ?? ''
  );
}

/**
 * Which nodes reach a volume, by the label with which its driver tells zones: what the volume asks of zones is asked of that
 * label, and where it asks nothing, what its labels say (release 1.20, `translateTopology`).
 */
export function translateTopology(
  volume: PersistentVolume,
  topologyKey: string,
  dialect: Dialect,
): NodeAffinity {
  const { nodeAffinity } = volume.spec;
  const terms = nodeAffinity?.required?.nodeSelectorTerms ?? [];
  if (asksFor(terms, topologyKey)) return nodeAffinity;
  const known = zoneLabels(dialect).find((label) => asksFor(terms, label));
  if (known !== undefined) return { required: { nodeSelectorTerms: replaceKey(terms, known, topologyKey) } };
  const zones = listZones(zonesOfLabels(volume, dialect));
  if (zones.length === 0) return nodeAffinity;
  return { required: { nodeSelectorTerms: addZones(terms, topologyKey, zones) } };
}

/** The older label counts first, as release 1.20 writes it on volumes. */
const zoneLabels = (dialect: Dialect): readonly string[] =>
  ['failure-domain.beta', 'topology'].map((domain) => dialect.domain(domain, 'zone'));

const listZones = (text: string): string[] => {
  const zones = text.split('__').map((zone) => zone.trim());
  return [...new Set(zones.filter((zone) => zone !== ''))].sort();
};

const asksFor = (terms: Terms, label: string): boolean =>
  terms.some(({ matchExpressions = [] }) => matchExpressions.some(({ key }) => key === label));

const replaceKey = (terms: Terms, from: string, to: string): NodeSelectorTerm[] =>
  terms.map(({ matchExpressions = [], ...term }) => ({
    ...term,
    matchExpressions: matchExpressions.map((one) => (one.key === from ? { ...one, key: to } : one)),
  }));

const addZones = (terms: Terms, key: string, values: readonly string[]): NodeSelectorTerm[] =>
  (terms.length === 0 ? [{}] : terms).map(({ matchExpressions = [], ...term }: NodeSelectorTerm) => ({
    ...term,
    matchExpressions: [...matchExpressions, { key, operator: 'In', values: [...values] }],
  }));
