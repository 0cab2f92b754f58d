import { asJsonObject } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { DescribeContext } from './describer.ts';
import { formatEndpoints, readEndpoints } from './endpoints.ts';
import { describeMarks, describeName } from './head.ts';
import { asRecords, type Fields, textOr } from './report.ts';

/** An ingress with its rules and the endpoints behind each. */
export async function describeIngress(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const spec = asJsonObject(object.spec);
  const { ingress } = asJsonObject(asJsonObject(object.status).loadBalancer);
  describeName(context);
  const addresses = asRecords(ingress).map(({ ip, hostname }) => textOr(ip, textOr(hostname, '')));
  report.field(0, 'Address', [...new Set(addresses)].filter(Boolean).sort().join(','));
  const own = asJsonObject(spec.defaultBackend ?? spec.backend);
  const isGiven = (spec.defaultBackend ?? spec.backend) !== undefined;
  const fallback = isGiven
    ? await formatBackend(context, own, object.metadata.namespace ?? '')
    : await formatBackend(context, commonBackend, ctl.dialect.systemNamespace);
  report.field(0, 'Default backend', fallback);
  describeTls(context, asRecords(spec.tls));
  await describeRules(context, fallback);
  report.annotations(object.metadata.annotations);
}

/** Where requests go that no ingress has a place for. */
const commonBackend = { service: { name: 'default-http-backend', port: { number: 80 } } };

function describeTls({ report }: DescribeContext, entries: readonly Fields[]): void {
  if (entries.length > 0) report.line(0, 'TLS:');
  for (const { hosts, secretName } of entries) {
    const names = Array.isArray(hosts) ? hosts.join(',') : '';
    report.row(1, [secretName ? `${secretName} terminates ${names}` : `SNI routes ${names}`]);
  }
}

async function describeRules(context: DescribeContext, fallback: string): Promise<void> {
  const { object, report } = context;
  const rules = asRecords(asJsonObject(object.spec).rules).filter(({ http }) => http !== undefined);
  report.line(0, 'Rules:');
  report.line(1, 'Host\tPath\tBackends');
  report.line(1, '----\t----\t--------');
  if (rules.length === 0) report.row(1, ['*', '*', fallback]);
  for (const { host, http } of rules) {
    report.row(1, [textOr(host, '*'), '']);
    for (const { path, backend } of asRecords(asJsonObject(http).paths)) {
      const target = await formatBackend(context, asJsonObject(backend), object.metadata.namespace ?? '');
      report.row(2, ['', `${path ?? ''} `, target]);
    }
  }
}

/** `web:80 (10.0.0.1:8080)`, or the object of another kind that is meant. */
async function formatBackend(context: DescribeContext, backend: Fields, namespace: string): Promise<string> {
  const { apiGroup, kind, name: resourceName } = asJsonObject(backend.resource);
  if (backend.resource !== undefined) {
    return `APIGroup: ${apiGroup ?? '<none>'}, Kind: ${kind}, Name: ${resourceName}`;
  }
  const service = asJsonObject(backend.service);
  const { number, name: portName } = asJsonObject(service.port);
  // Version v1beta1 has name and port beside one another.
  const name = textOr(service.name ?? backend.serviceName, '');
  const port = number || portName || backend.servicePort || '';
  if (name === '') return '';
  return `${name}:${port}${await findAddresses(context, { namespace, name }, port)}`;
}

/** The endpoints behind a port that is given by number or name, in brackets. */
async function findAddresses(
  context: DescribeContext,
  place: { readonly namespace: string; readonly name: string },
  port: unknown,
): Promise<string> {
  const endpoints = await orFailure(readEndpoints(context, place));
  if (typeof endpoints === 'string') return ` ${endpoints}`;
  const service = await orFailure(readService(context, place));
  // Release 1.20 has no blank here.
  if (typeof service === 'string') return service;
  const ports = asRecords(asJsonObject(service.spec).ports);
  const found = ports.filter((candidate) => candidate.port === port || candidate.name === port).at(-1);
  return ` (${formatEndpoints(endpoints, textOr(found?.name, ''))})`;
}

/** What the server has, or what is shown in its place. */
async function orFailure(reading: Promise<Fields>): Promise<Fields | string> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof StatusError) return `(<error: ${error.message}>)`;
    throw error;
  }
}

async function readService(
  { ctl }: DescribeContext,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<Fields> {
  const client = await ctl.client();
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/services/${encodeURIComponent(name)}`;
  return client.json<Fields>({ method: 'GET', path, signal: ctl.io.signal });
}

/** An ingress class with its controller. */
export async function describeIngressClass(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const { controller, parameters } = asJsonObject(object.spec);
  report.field(0, 'Name', object.metadata.name);
  describeMarks(context);
  report.field(0, 'Controller', controller);
  if (parameters === undefined) return;
  const { apiGroup, kind, name } = asJsonObject(parameters);
  report.line(0, 'Parameters:');
  if (textOr(apiGroup, '') !== '') report.field(1, 'APIGroup', apiGroup);
  report.field(1, 'Kind', kind);
  report.field(1, 'Name', name);
}
