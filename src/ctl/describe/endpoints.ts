import { asJsonObject } from '../../base/index.ts';
import type { DescribeContext } from './describer.ts';
import { describeHead } from './head.ts';
import { asRecords, type Fields, type Report, shownText, textOr } from './report.ts';

/** The addresses behind a service. */
export async function describeEndpoints(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  describeHead(context);
  report.line(0, 'Subsets:');
  for (const subset of asRecords(object.subsets)) {
    for (const [label, field] of [
      ['Addresses', 'addresses'],
      ['NotReadyAddresses', 'notReadyAddresses'],
    ] as const) {
      const addresses = asRecords(subset[field]).map(({ ip }) => ip);
      report.field(1, label, addresses.join(',') || '<none>');
    }
    describePorts(report, 1, asRecords(subset.ports));
    report.line(0, '');
  }
}

/** A part of the addresses behind a service, with what is known of each. */
export async function describeEndpointSlice(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const ports = asRecords(object.ports);
  const endpoints = asRecords(object.endpoints);
  describeHead(context);
  report.field(0, 'AddressType', object.addressType);
  // In no column, as release 1.20's client has them.
  if (ports.length === 0) report.line(0, 'Ports: <unset>');
  describePorts(report, 0, ports);
  report.line(0, endpoints.length === 0 ? 'Endpoints: <none>' : 'Endpoints:');
  for (const { addresses, conditions, hostname, targetRef, topology } of endpoints) {
    report.field(1, '- Addresses', Array.isArray(addresses) ? addresses.join(',') : '');
    report.line(2, 'Conditions:');
    report.field(3, 'Ready', asJsonObject(conditions).ready ?? '<unset>');
    report.field(2, 'Hostname', hostname ?? '<unset>');
    const { kind = '', name = '' } = asJsonObject(targetRef);
    if (targetRef !== undefined) report.field(2, 'TargetRef', `${kind}/${name}`);
    report.map('Topology', topology, { level: 2, restLevel: 2 });
  }
}

function describePorts(report: Report, level: number, ports: readonly Fields[]): void {
  if (ports.length === 0) return;
  report.line(level, 'Ports:');
  report.line(level + 1, 'Name\tPort\tProtocol');
  report.line(level + 1, '----\t----\t--------');
  for (const { name, port, protocol } of ports) {
    report.row(level + 1, [textOr(name, '<unset>'), port ?? '<unset>', protocol]);
  }
}

/** Endpoints as the server has them. @throws as `RestClient.json` */
export async function readEndpoints(
  { ctl }: DescribeContext,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<Fields> {
  const client = await ctl.client();
  return client.json<Fields>({
    method: 'GET',
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/endpoints/${encodeURIComponent(name)}`,
    signal: ctl.io.signal,
  });
}

/** The first three addresses behind a port, those without any port among them, and how many more there are. */
export function formatEndpoints(endpoints: Fields, portName: string): string {
  const subsets = asRecords(endpoints.subsets);
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap((subset) => {
    const ips = asRecords(subset.addresses).map(({ ip }) => shownText(ip));
    const ports = asRecords(subset.ports);
    if (ports.length === 0) return ips;
    return ports
      .filter((port) => textOr(port.name, '') === portName)
      .flatMap((port) => ips.map((ip) => `${formatHost(ip)}:${port.port}`));
  });
  return all.length <= 3 ? all.join(',') : `${all.slice(0, 3).join(',')} + ${all.length - 3} more...`;
}

function formatHost(ip: string): string {
  return ip.includes(':') ? `[${ip}]` : ip;
}
