import { isLabelValue } from '../../machinery/formats/index.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../types/meta-v1.ts';

const none = '<none>';

/** `a=b,c=d` sorted by key, `<none>` without entries. */
export function formatLabels(labels: Readonly<Record<string, string>> | null | undefined): string {
  const text = Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');
  return text === '' ? none : text;
}

/** A label selector in query form, sorted by key; empty when it is unset or selects everything. */
export function formatSelector(selector: LabelSelector | null | undefined): string {
  const terms = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  for (const requirement of selector?.matchExpressions ?? []) {
    terms.push({ key: requirement.key, text: formatRequirement(requirement) });
  }
  return terms
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map((term) => term.text)
    .join(',');
}

function formatRequirement({ key, operator, values }: LabelSelectorRequirement): string {
  const list = `(${[...(values ?? [])].sort().join(',')})`;
  if (operator === 'In') return `${key} in ${list}`;
  if (operator === 'NotIn') return `${key} notin ${list}`;
  return operator === 'DoesNotExist' ? `!${key}` : key;
}

/** As `formatSelector`, with `<none>` for an empty text, and `<error>` for values that no label has: some kinds keep them. */
export function formatSelectorOrNone(selector: LabelSelector | null | undefined): string {
  const values = (selector?.matchExpressions ?? []).flatMap((requirement) => requirement.values ?? []);
  return values.some((value) => isLabelValue(value).length > 0)
    ? '<error>'
    : orNone(formatSelector(selector));
}

/** The text, or `<none>` when it is unset or empty. */
export function orNone(text: string | null | undefined): string {
  return text === undefined || text === null || text === '' ? none : text;
}

interface PodTemplateLike {
  spec: { containers?: ReadonlyArray<{ name: string; image?: string | undefined }> | null | undefined };
}

/** Cells `Containers` and `Images` of a pod template. */
export function containerCells(
  template: PodTemplateLike | null | undefined,
): [names: string, images: string] {
  const containers = template?.spec.containers ?? [];
  return [
    containers.map((container) => container.name).join(','),
    containers.map((container) => container.image ?? '').join(','),
  ];
}

/** The first `max` texts between commas; with `total` above that ` + N more...`. */
export function formatFirst(shown: readonly string[], total: number, max = 3): string {
  const text = shown.slice(0, max).join(',');
  return total > max ? `${text} + ${total - max} more...` : text;
}

interface IngressPoint {
  ip?: string | undefined;
  hostname?: string | undefined;
}

/** Addresses of a load balancer: IPs, else host names; sorted, each once, between commas. */
export function formatLoadBalancer(
  status: { ingress?: readonly IngressPoint[] | null | undefined } | undefined,
): string {
  const points = new Set<string>();
  for (const { ip, hostname } of status?.ingress ?? []) {
    if (ip !== undefined && ip !== '') points.add(ip);
    else if (hostname !== undefined && hostname !== '') points.add(hostname);
  }
  return [...points].sort().join(',');
}

const accessModes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
] as const;

/** Short forms of the access modes of a volume, each once, in a fixed order. */
export function formatAccessModes(modes: readonly string[] | null | undefined): string {
  return accessModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
