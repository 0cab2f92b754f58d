import type { NetworkPolicy } from '../../types/networking-v1.ts';
import type { Ingress, IngressClass, IngressRule } from '../../types/networking-v1beta1.ts';
import { ageSince } from '../age.ts';
import { formatFirst, formatLoadBalancer, formatSelectorOrNone, orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

const maxHosts = 3;

/** Rows of ingresses. */
export const ingressPrinter: RowPrinter<Ingress> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    orNone(spec.ingressClassName),
    formatHosts(spec.rules ?? []),
    formatLoadBalancer(status.loadBalancer),
    (spec.tls ?? []).length > 0 ? '80, 443' : '80',
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rules without a host count as hidden ones only when they come after the last shown host. */
function formatHosts(rules: readonly IngressRule[]): string {
  const hosts: string[] = [];
  for (const { host = '' } of rules) {
    if (hosts.length === maxHosts) return formatFirst(hosts, rules.length, maxHosts);
    if (host !== '') hosts.push(host);
  }
  return hosts.length === 0 ? '*' : hosts.join(',');
}

/** Rows of ingress classes. */
export const ingressClassPrinter: RowPrinter<IngressClass> = {
  cells: ({ metadata, spec }, { nowMs }) => [
    metadata.name ?? '',
    spec.controller ?? '',
    formatParameters(spec.parameters),
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

function formatParameters(parameters: IngressClass['spec']['parameters']): string {
  if (parameters === undefined) return orNone('');
  const { kind, apiGroup, name } = parameters;
  return apiGroup === undefined || apiGroup === null ? `${kind}/${name}` : `${kind}.${apiGroup}/${name}`;
}

/** Rows of network policies. */
export const networkPolicyPrinter: RowPrinter<NetworkPolicy> = {
  cells: ({ metadata, spec }, { nowMs }) => [
    metadata.name ?? '',
    formatSelectorOrNone(spec.podSelector),
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};
