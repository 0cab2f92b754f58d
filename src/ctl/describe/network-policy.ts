import { asJsonObject, asList } from '../../base/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import type { DescribeContext } from './describer.ts';
import { describeMarks, describeName } from './head.ts';
import { asRecords, type Fields, type Report, shownText } from './report.ts';
import { formatGoTime } from './times.ts';

/** One direction of traffic, as it is described. */
interface Direction {
  readonly name: 'ingress' | 'egress';
  readonly type: 'Ingress' | 'Egress';
  readonly peers: 'From' | 'To';
  readonly any: string;
}

const directions: readonly Direction[] = [
  { name: 'ingress', type: 'Ingress', peers: 'From', any: 'source' },
  { name: 'egress', type: 'Egress', peers: 'To', any: 'destination' },
];

/** A network policy with what it lets through. */
export async function describeNetworkPolicy(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const spec = asJsonObject(object.spec);
  const types = asList(spec.policyTypes);
  describeName(context);
  report.field(0, 'Created on', formatGoTime(object.metadata.creationTimestamp));
  describeMarks(context);
  report.line(0, 'Spec:');
  const selected = formatSelector(spec.podSelector);
  report.row(1, [
    `PodSelector:     ${selected === '<none>' ? `${selected} (Allowing the specific traffic to all pods in this namespace)` : selected}`,
  ]);
  for (const direction of directions) {
    if (types.includes(direction.type)) {
      report.line(1, `Allowing ${direction.name} traffic:`);
      describeRules(report, asRecords(spec[direction.name]), direction);
    } else report.line(1, `Not affecting ${direction.name} traffic`);
  }
  report.row(1, [`Policy Types: ${types.join(', ')}`]);
}

function describeRules(report: Report, rules: readonly Fields[], { name, peers, any }: Direction): void {
  if (rules.length === 0) report.line(2, `<none> (Selected pods are isolated for ${name} connectivity)`);
  for (const [index, rule] of rules.entries()) {
    const ports = asRecords(rule.ports);
    const others = asRecords(rule[peers.toLowerCase()]);
    if (ports.length === 0) report.line(2, 'To Port: <any> (traffic allowed to all ports)');
    for (const { port, protocol } of ports)
      report.row(2, [`To Port: ${port ?? '<nil>'}/${protocol ?? 'TCP'}`]);
    if (others.length === 0) report.line(2, `${peers}: <any> (traffic not restricted by ${any})`);
    for (const peer of others) describePeer(report, peers, peer);
    if (index < rules.length - 1) report.line(2, '----------');
  }
}

function describePeer(report: Report, label: string, peer: Fields): void {
  report.line(2, `${label}:`);
  const { namespaceSelector, podSelector, ipBlock } = peer;
  if (ipBlock !== undefined) {
    const { cidr, except } = asJsonObject(ipBlock);
    report.line(3, 'IPBlock:');
    report.row(4, [`CIDR: ${cidr}`]);
    report.row(4, [`Except: ${asList(except).join(', ')}`]);
    return;
  }
  if (namespaceSelector !== undefined) {
    report.line(3, `NamespaceSelector: ${formatSelector(namespaceSelector)}`);
  }
  if (podSelector !== undefined) report.line(3, `PodSelector: ${formatSelector(podSelector)}`);
}

function formatSelector(selector: unknown): string {
  return shownText(labelSelectorFromObject(asJsonObject(selector)).toString()) || '<none>';
}
