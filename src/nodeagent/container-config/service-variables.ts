import type { Service } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** Which services a container gets environment variables for. */
export interface ServiceVariablesOptions {
  /** Of all namespaces. */
  readonly services: readonly Service[];
  readonly namespace: string;
  /** Whether services of the namespace get variables, beside the API's service (`enableServiceLinks`). */
  readonly isLinked: boolean;
  /** Where the Service of the API is. */
  readonly masterServiceNamespace: string;
  readonly dialect: Dialect;
}

/**
 * Environment variables that tell the addresses of services with a cluster IP: that of the API always, those of the
 * namespace when they are linked. One of the namespace hides that of the API when it has the same name.
 */
export function serviceVariables(options: ServiceVariablesOptions): Map<string, string> {
  const chosen = new Map<string, Service>();
  for (const service of options.services) {
    const { name = '', namespace = '' } = service.metadata;
    if (!hasClusterIp(service)) continue;
    if (namespace === options.masterServiceNamespace && name === options.dialect.apiServiceName) {
      if (!chosen.has(name)) chosen.set(name, service);
    } else if (namespace === options.namespace && options.isLinked) chosen.set(name, service);
  }
  const variables = new Map<string, string>();
  for (const [name, service] of chosen) addVariables(variables, name, service);
  return variables;
}

const hasClusterIp = ({ spec: { clusterIP } }: Service): boolean =>
  clusterIP !== undefined && clusterIP !== '' && clusterIP !== 'None';

function addVariables(variables: Map<string, string>, serviceName: string, { spec }: Service): void {
  const { clusterIP = '', ports = [] } = spec;
  const prefix = variableName(serviceName);
  const [first] = ports;
  if (first === undefined) return;
  variables.set(`${prefix}_SERVICE_HOST`, clusterIP);
  variables.set(`${prefix}_SERVICE_PORT`, `${first.port}`);
  for (const { name = '', port } of ports) {
    if (name !== '') variables.set(`${prefix}_SERVICE_PORT_${variableName(name)}`, `${port}`);
  }
  const host = clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP;
  for (const { protocol = 'TCP', port } of ports) {
    const scheme = protocol.toLowerCase();
    const url = `${scheme}://${host}:${port}`;
    if (!variables.has(`${prefix}_PORT`)) variables.set(`${prefix}_PORT`, url);
    const link = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
    variables.set(link, url);
    variables.set(`${link}_PROTO`, scheme);
    variables.set(`${link}_PORT`, `${port}`);
    variables.set(`${link}_ADDR`, clusterIP);
  }
}

const variableName = (name: string): string => name.replaceAll('-', '_').toUpperCase();
