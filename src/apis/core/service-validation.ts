import { addAll } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
  tooMany,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import { validateNonSpecialIp, validatePortNumberOrName } from '../network-checks.ts';
import { isEmptyText, reportInvalid, requireOneOf } from '../reporting.ts';
import type { Service, ServicePort, SessionAffinityConfig } from '../types/core-v1.ts';
import {
  goStringList,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidIp,
  isValidPortNumber,
  parseCidr,
  renderGo,
  validateLabels,
} from '../validation/index.ts';
import { validateClusterIps } from './service-addresses.ts';
import { isHeadless, needsHealthCheckNodePort, needsNodePorts } from './service-fields.ts';

const spec = fieldPath('spec');
const portsPath = spec.child('ports');
const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];
const agentPort = 10_250;
const maxAffinitySeconds = 86_400;
const maxTopologyKeys = 16;

/** What a validator of services needs beside the service. */
export interface ServiceValidationOptions {
  readonly dialect: Dialect;
  readonly gates: ReadonlySet<string>;
}

/** All errors of a service's spec, in release 1.20's order. */
export function validateServiceSpec(service: Service, options: ServiceValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { type } = service.spec;
  const ports = service.spec.ports ?? [];
  const headless = isHeadless(service);
  if (ports.length === 0 && !headless && type !== 'ExternalName') errors.push(required(portsPath));
  validateByType(errors, service, options.dialect);
  const names = new Set<string>();
  for (const [at, port] of ports.entries()) {
    validatePort(errors, portsPath.index(at), port, { names, requiresName: ports.length > 1 });
  }
  if (service.spec.selector) addAll(errors, validateLabels(service.spec.selector, spec.child('selector')));
  validateAffinity(errors, service);
  validateClusterIps(errors, service);
  validateExternalIps(errors, service);
  requireOneOf(errors, spec.child('type'), type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  validatePortUse(errors, service, ports);
  validateTopologyKeys(errors, service);
  validateSourceRanges(errors, service, options.dialect);
  if (service.spec.allocateLoadBalancerNodePorts !== undefined && type !== 'LoadBalancer') {
    const path = spec.child('allocateLoadBalancerNodePorts');
    errors.push(forbiddenField(path, "may only be used when `type` is 'LoadBalancer'"));
  }
  validateExternalTraffic(errors, service);
  return errors;
}

function validateByType(errors: FieldError[], service: Service, dialect: Dialect): void {
  const { type, clusterIPs, externalName } = service.spec;
  if (type === 'LoadBalancer') {
    for (const [at, { port }] of (service.spec.ports ?? []).entries()) {
      if (port !== agentPort) continue;
      const user = dialect.spell('nodeagent');
      const detail = `may not expose port ${agentPort} externally since it is used by ${user}`;
      errors.push(invalidValue(portsPath.index(at), port, detail));
    }
  }
  if (needsNodePorts(service) && isHeadless(service)) {
    const detail = `may not be set to 'None' for ${type} services`;
    errors.push(invalidValue(spec.child('clusterIPs').index(0), 'None', detail));
  }
  if (type !== 'ExternalName') return;
  const detail = 'may not be set for ExternalName services';
  if (clusterIPs?.length) errors.push(forbiddenField(spec.child('clusterIPs'), detail));
  if (service.spec.ipFamilies?.length) errors.push(forbiddenField(spec.child('ipFamilies'), detail));
  if (service.spec.ipFamilyPolicy !== undefined) {
    errors.push(forbiddenField(spec.child('ipFamilyPolicy'), detail));
  }
  // A trailing dot says that the name is absolute.
  const target = (externalName ?? '').replace(/\.$/, '');
  if (target === '') errors.push(required(spec.child('externalName')));
  else reportInvalid(errors, spec.child('externalName'), target, isDns1123Subdomain(target));
}

function validatePort(
  errors: FieldError[],
  path: FieldPath,
  port: ServicePort,
  options: { readonly names: Set<string>; readonly requiresName: boolean },
): void {
  const { name } = port;
  if (isEmptyText(name)) {
    if (options.requiresName) errors.push(required(path.child('name')));
  } else if (name !== undefined) {
    reportInvalid(errors, path.child('name'), name, isDns1123Label(name));
    if (options.names.has(name)) errors.push(duplicate(path.child('name'), name));
    options.names.add(name);
  }
  reportInvalid(errors, path.child('port'), port.port, isValidPortNumber(port.port));
  requireOneOf(errors, path.child('protocol'), port.protocol, protocols);
  errors.push(...validatePortNumberOrName(port.targetPort ?? 0, path.child('targetPort')));
  if (port.appProtocol !== undefined) {
    reportInvalid(errors, path.child('appProtocol'), port.appProtocol, isQualifiedName(port.appProtocol));
  }
}

function validateAffinity(errors: FieldError[], service: Service): void {
  const { sessionAffinity, sessionAffinityConfig } = service.spec;
  requireOneOf(errors, spec.child('sessionAffinity'), sessionAffinity, ['ClientIP', 'None']);
  const path = spec.child('sessionAffinityConfig');
  if (sessionAffinity === 'ClientIP') validateClientIpAffinity(errors, path, sessionAffinityConfig);
  else if (sessionAffinity === 'None' && sessionAffinityConfig !== undefined) {
    errors.push(forbiddenField(path, 'must not be set when session affinity is None'));
  }
}

function validateClientIpAffinity(
  errors: FieldError[],
  path: FieldPath,
  config: SessionAffinityConfig | undefined,
): void {
  const detail = 'when session affinity type is ClientIP';
  const timeoutPath = path.child('clientIP', 'timeoutSeconds');
  const seconds = config?.clientIP?.timeoutSeconds;
  if (config === undefined) errors.push(required(path, detail));
  else if (config.clientIP === undefined) errors.push(required(path.child('clientIP'), detail));
  else if (seconds === undefined) errors.push(required(timeoutPath, detail));
  else if (seconds <= 0 || seconds > maxAffinitySeconds) {
    errors.push(
      invalidValue(timeoutPath, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`),
    );
  }
}

function validateExternalIps(errors: FieldError[], service: Service): void {
  for (const [at, address] of (service.spec.externalIPs ?? []).entries()) {
    const path = spec.child('externalIPs').index(at);
    const problems = isValidIp(address);
    if (problems.length > 0) reportInvalid(errors, path, address, problems);
    else errors.push(...validateNonSpecialIp(address, path));
  }
}

/** How ports fit the type and one another. */
function validatePortUse(errors: FieldError[], service: Service, ports: readonly ServicePort[]): void {
  const { type } = service.spec;
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  if (type === 'ClusterIP') {
    for (const [at, { nodePort }] of ports.entries()) {
      if (!nodePort) continue;
      const detail = "may not be used when `type` is 'ClusterIP'";
      errors.push(forbiddenField(portsPath.index(at).child('nodePort'), detail));
    }
  }
  for (const [at, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue;
    const key = `${protocol}/${nodePort}`;
    if (nodePorts.has(key)) errors.push(duplicate(portsPath.index(at).child('nodePort'), nodePort));
    nodePorts.add(key);
  }
  if (ports.length < 2) return;
  for (const [at, port] of ports.entries()) {
    const key = `${port.protocol}/${port.port}`;
    if (numbers.has(key)) errors.push(duplicate(portsPath.index(at), printPortKey(port)));
    numbers.add(key);
  }
}

/** Release 1.20 prints the part of the port that it compared, as its own structure. */
const printPortKey = ({ protocol, port }: ServicePort): VerbatimValue =>
  new VerbatimValue(
    `core.ServicePort{Name:"", Protocol:${JSON.stringify(protocol ?? '')}, AppProtocol:(*string)(nil), Port:${port}, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}`,
  );

function validateTopologyKeys(errors: FieldError[], service: Service): void {
  const keys = service.spec.topologyKeys ?? [];
  const path = spec.child('topologyKeys');
  if (keys.length > 0 && service.spec.externalTrafficPolicy === 'Local') {
    errors.push(forbiddenField(path, 'may not be specified when `externalTrafficPolicy=Local`'));
  }
  if (keys.length > maxTopologyKeys) errors.push(tooMany(path, keys.length, maxTopologyKeys));
  const shown = goStringList(keys);
  const seen = new Set<string>();
  for (const [at, key] of keys.entries()) {
    if (seen.has(key)) errors.push(duplicate(path.index(at), key));
    seen.add(key);
    if (key !== '*') reportInvalid(errors, path.index(at), shown, isQualifiedName(key));
    else if (at !== keys.length - 1) {
      errors.push(invalidValue(path.index(at), key, '"*" must be the last value specified'));
    }
  }
}

/** Source ranges come from the field, or from the older annotation as comma-separated text. */
function validateSourceRanges(errors: FieldError[], service: Service, dialect: Dialect): void {
  const ranges = service.spec.loadBalancerSourceRanges ?? [];
  const annotations = service.metadata.annotations;
  if (ranges.length === 0 && annotations === undefined) return;
  const key = dialect.spell('service.beta.orch.io/load-balancer-source-ranges');
  const annotation = annotations?.[key];
  if (ranges.length === 0 && annotation === undefined) return;
  const isField = ranges.length > 0;
  const path = isField
    ? spec.child('LoadBalancerSourceRanges')
    : fieldPath('metadata', 'annotations').key(key);
  if (service.spec.type !== 'LoadBalancer') {
    errors.push(forbiddenField(path, "may only be used when `type` is 'LoadBalancer'"));
  }
  const list = isField ? ranges : textRanges(annotation ?? '');
  if (list.every((range) => parseCidr(range.trim()) !== undefined)) return;
  const shown = isField ? `[${ranges.join(' ')}]` : annotation;
  const detail = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ';
  errors.push(invalidValue(path, shown, detail));
}

const textRanges = (annotation: string): string[] =>
  annotation.trim() === '' ? [] : annotation.trim().split(',');

function validateExternalTraffic(errors: FieldError[], service: Service): void {
  const { externalTrafficPolicy: policy, healthCheckNodePort } = service.spec;
  if (!isEmptyText(policy) && policy !== 'Cluster' && policy !== 'Local') {
    const detail = 'ExternalTrafficPolicy must be empty, Cluster or Local';
    errors.push(invalidValue(spec.child('externalTrafficPolicy'), policy, detail));
  }
  if (healthCheckNodePort !== undefined && healthCheckNodePort < 0) {
    const detail = 'HealthCheckNodePort must be not less than 0';
    errors.push(invalidValue(spec.child('healthCheckNodePort'), healthCheckNodePort, detail));
  }
}

/** Errors of fields that only some types have; release 1.20 looks at them after all others passed. */
export function validateExternalTrafficCombination(service: Service): FieldError[] {
  const errors: FieldError[] = [];
  const { externalTrafficPolicy: policy, healthCheckNodePort } = service.spec;
  if (!needsNodePorts(service) && !isEmptyText(policy)) {
    const detail = 'ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service';
    errors.push(invalidValue(spec.child('externalTrafficPolicy'), policy, detail));
  }
  if (healthCheckNodePort && !needsHealthCheckNodePort(service)) {
    const detail =
      'HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local';
    errors.push(invalidValue(spec.child('healthCheckNodePort'), healthCheckNodePort, detail));
  }
  return errors;
}

/** Without its gate, a load balancer that does not mix protocols yet may not start to. */
export function validateMixedProtocols(
  service: Service,
  old: Service | undefined,
  { gates, catalog }: Pick<RuleContext, 'gates' | 'catalog'>,
): FieldError[] {
  if (service.spec.type !== 'LoadBalancer' || gates.has('MixedProtocolLBService')) return [];
  if (!mixesProtocols(service) || (old !== undefined && mixesProtocols(old))) return [];
  const shown = renderGo(service.spec.ports ?? [], 'list<v1.ServicePort>', catalog);
  return [invalidValue(portsPath, shown, "may not contain more than 1 protocol when type is 'LoadBalancer'")];
}

const mixesProtocols = (service: Service): boolean =>
  new Set((service.spec.ports ?? []).map((port) => port.protocol)).size > 1;
