import { asJsonObject } from '../../base/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { formatLabels } from '../printers/table-printer.ts';
import type { DescribeContext } from './describer.ts';
import { asRecords, type Report, shownText, textOr } from './report.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A service with its ports and the endpoints behind each. */
export async function describeService(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const spec = asJsonObject(object.spec);
  const { metadata } = object;
  report.field(0, 'Name', metadata.name);
  report.field(0, 'Namespace', metadata.namespace);
  report.map('Labels', metadata.labels);
  report.annotations(metadata.annotations);
  report.field(0, 'Selector', formatLabels(asJsonObject(spec.selector)));
  report.field(0, 'Type', spec.type);
  if (spec.ipFamilyPolicy !== undefined) report.field(0, 'IP Family Policy', spec.ipFamilyPolicy);
  report.field(0, 'IP Families', joinList(spec.ipFamilies));
  report.field(0, 'IP', spec.clusterIP ?? '');
  report.field(0, 'IPs', joinList(spec.clusterIPs));
  if (Array.isArray(spec.externalIPs)) report.field(0, 'External IPs', spec.externalIPs.join(','));
  if (spec.loadBalancerIP) report.field(0, 'IP', spec.loadBalancerIP);
  if (spec.externalName) report.field(0, 'External Name', spec.externalName);
  const ingress = asRecords(asJsonObject(asJsonObject(object.status).loadBalancer).ingress);
  if (ingress.length > 0) {
    report.field(
      0,
      'LoadBalancer Ingress',
      ingress.map(({ ip, hostname }) => textOr(ip, String(hostname))).join(', '),
    );
  }
  describePorts(report, asRecords(spec.ports), await readSubsets(context));
  report.field(0, 'Session Affinity', spec.sessionAffinity ?? '');
  if (spec.externalTrafficPolicy) report.field(0, 'External Traffic Policy', spec.externalTrafficPolicy);
  if (spec.healthCheckNodePort) report.field(0, 'HealthCheck NodePort', spec.healthCheckNodePort);
  const ranges = spec.loadBalancerSourceRanges;
  if (Array.isArray(ranges)) report.field(0, 'LoadBalancer Source Ranges', ranges.join(','));
}

function describePorts(report: Report, ports: readonly Fields[], subsets: readonly Fields[]): void {
  for (const port of ports) {
    const name = textOr(port.name, '<unset>');
    const protocol = textOr(port.protocol, 'TCP');
    report.line(0, `Port:\t${shownText(name)}\t${port.port}/${protocol}`);
    report.line(0, `TargetPort:\t${shownText(port.targetPort)}/${protocol}`);
    if (port.nodePort) report.line(0, `NodePort:\t${shownText(name)}\t${port.nodePort}/${protocol}`);
    report.field(0, 'Endpoints', formatEndpoints(subsets, textOr(port.name, '')));
  }
}

/** The first three addresses behind a port, and how many more there are. */
function formatEndpoints(subsets: readonly Fields[], portName: string): string {
  const all = subsets.flatMap((subset) =>
    asRecords(subset.ports)
      .filter((port) => textOr(port.name, '') === portName)
      .flatMap((port) =>
        asRecords(subset.addresses).map(({ ip }) => `${formatHost(String(ip))}:${port.port}`),
      ),
  );
  if (all.length === 0) return '<none>';
  return all.length <= 3 ? all.join(',') : `${all.slice(0, 3).join(',')} + ${all.length - 3} more...`;
}

function formatHost(ip: string): string {
  return ip.includes(':') ? `[${ip}]` : ip;
}

function joinList(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.join(',') : '<none>';
}

async function readSubsets({ ctl, object }: DescribeContext): Promise<readonly Fields[]> {
  const { name = '', namespace = '' } = object.metadata;
  const client = await ctl.client();
  try {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/endpoints/${encodeURIComponent(name)}`;
    const endpoints = await client.json<{ subsets?: unknown }>({
      method: 'GET',
      path,
      signal: ctl.io.signal,
    });
    return asRecords(endpoints.subsets);
  } catch (error) {
    if (isReason(error, 'NotFound') || isReason(error, 'Forbidden')) return [];
    throw error;
  }
}
