import { asJsonObject } from '../../base/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { DescribeContext } from './describer.ts';
import { formatEndpoints, readEndpoints } from './endpoints.ts';
import { describeHead } from './head.ts';
import { asRecords, type Fields, formatMap, type Report, shownText, textOr } from './report.ts';

/** A service with its ports and the endpoints behind each. */
export async function describeService(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const spec = asJsonObject(object.spec);
  describeHead(context);
  report.field(0, 'Selector', formatMap(spec.selector));
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
  describePorts(report, asRecords(spec.ports), await findEndpoints(context));
  report.field(0, 'Session Affinity', spec.sessionAffinity ?? '');
  if (spec.externalTrafficPolicy) report.field(0, 'External Traffic Policy', spec.externalTrafficPolicy);
  if (spec.healthCheckNodePort) report.field(0, 'HealthCheck NodePort', spec.healthCheckNodePort);
  const ranges = spec.loadBalancerSourceRanges;
  if (Array.isArray(ranges)) report.field(0, 'LoadBalancer Source Ranges', ranges.join(','));
}

function describePorts(report: Report, ports: readonly Fields[], endpoints: Fields): void {
  for (const port of ports) {
    const name = textOr(port.name, '<unset>');
    const protocol = textOr(port.protocol, 'TCP');
    report.line(0, `Port:\t${shownText(name)}\t${port.port}/${protocol}`);
    report.line(0, `TargetPort:\t${shownText(port.targetPort)}/${protocol}`);
    if (port.nodePort) report.line(0, `NodePort:\t${shownText(name)}\t${port.nodePort}/${protocol}`);
    report.field(0, 'Endpoints', formatEndpoints(endpoints, textOr(port.name, '')));
  }
}

function joinList(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.join(',') : '<none>';
}

/** Who may not read endpoints, or where there are none, sees none. */
async function findEndpoints(context: DescribeContext): Promise<Fields> {
  const { name = '', namespace = '' } = context.object.metadata;
  try {
    return await readEndpoints(context, { namespace, name });
  } catch (error) {
    if (isReason(error, 'NotFound') || isReason(error, 'Forbidden')) return {};
    throw error;
  }
}
