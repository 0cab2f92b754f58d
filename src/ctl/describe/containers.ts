import { asJsonObject } from '../../base/index.ts';
import { toCellText } from '../printers/text-table.ts';
import { asRecords, type Report, textOr } from './report.ts';
import { formatLocalTime } from './times.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Writes containers with their state, resources, probes, environment and mounts. */
export function describeContainers(
  report: Report,
  label: string,
  containers: readonly Fields[],
  { statuses = [], level = 0 }: { readonly statuses?: readonly Fields[]; readonly level?: number } = {},
): void {
  report.line(level, `${label}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    // In a template only the names are further in, by one blank.
    report.line(1, `${' '.repeat(level)}${toCellText(container.name)}:`);
    describeContainer(report, 2, container, status);
  }
}

function describeContainer(
  report: Report,
  level: number,
  container: Fields,
  status: Fields | undefined,
): void {
  if (status !== undefined) report.field(level, 'Container ID', status.containerID);
  report.field(level, 'Image', container.image);
  if (status !== undefined) report.field(level, 'Image ID', status.imageID);
  describePorts(report, level, asRecords(container.ports));
  describeList(report, level, 'Command', container.command);
  describeList(report, level, 'Args', container.args);
  if (status !== undefined) {
    describeState(report, level, 'State', asJsonObject(status.state));
    const last = asJsonObject(status.lastState);
    if (last.terminated !== undefined) describeState(report, level, 'Last State', last);
    report.field(level, 'Ready', status.ready === true ? 'True' : 'False');
    report.field(level, 'Restart Count', status.restartCount ?? 0);
  }
  const resources = asJsonObject(container.resources);
  describeQuantities(report, level, 'Limits', resources.limits);
  describeQuantities(report, level, 'Requests', resources.requests);
  for (const [label, probe] of [
    ['Liveness', container.livenessProbe],
    ['Readiness', container.readinessProbe],
    ['Startup', container.startupProbe],
  ] as const) {
    if (probe !== undefined) report.field(level, label, formatProbe(asJsonObject(probe)));
  }
  describeEnvironmentFrom(report, level, asRecords(container.envFrom));
  describeEnvironment(report, level, asRecords(container.env));
  describeMounts(report, level, asRecords(container.volumeMounts));
}

function describePorts(report: Report, level: number, ports: readonly Fields[]): void {
  const pairs = ports.map((port) => `${port.containerPort}/${textOr(port.protocol, 'TCP')}`);
  report.field(level, pairs.length > 1 ? 'Ports' : 'Port', pairs.join(', ') || '<none>');
  const hostPairs = ports.map((port) => `${port.hostPort ?? 0}/${textOr(port.protocol, 'TCP')}`);
  report.field(level, hostPairs.length > 1 ? 'Host Ports' : 'Host Port', hostPairs.join(', ') || '<none>');
}

function describeList(report: Report, level: number, label: string, list: unknown): void {
  if (!Array.isArray(list) || list.length === 0) return;
  report.line(level, `${label}:`);
  for (const item of list)
    for (const line of String(item).split('\n')) report.line(level + 1, toCellText(line));
}

function describeState(report: Report, level: number, label: string, state: Fields): void {
  const running = asJsonObject(state.running);
  const waiting = asJsonObject(state.waiting);
  const terminated = asJsonObject(state.terminated);
  if (state.running !== undefined) {
    report.field(level, label, 'Running');
    report.field(level + 1, 'Started', formatLocalTime(running.startedAt));
  } else if (state.terminated !== undefined) {
    report.field(level, label, 'Terminated');
    for (const [name, value] of [
      ['Reason', terminated.reason],
      ['Message', terminated.message],
    ] as const) {
      if (value) report.field(level + 1, name, value);
    }
    report.field(level + 1, 'Exit Code', terminated.exitCode ?? 0);
    if (terminated.signal) report.field(level + 1, 'Signal', terminated.signal);
    report.field(level + 1, 'Started', formatLocalTime(terminated.startedAt));
    report.field(level + 1, 'Finished', formatLocalTime(terminated.finishedAt));
  } else {
    report.field(level, label, 'Waiting');
    if (waiting.reason) report.field(level + 1, 'Reason', waiting.reason);
  }
}

function describeQuantities(report: Report, level: number, label: string, quantities: unknown): void {
  const entries = Object.entries(asJsonObject(quantities)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return;
  report.line(level, `${label}:`);
  for (const [name, quantity] of entries) report.field(level + 1, name, quantity);
}

/** `http-get http://:80/health delay=0s timeout=1s period=10s #success=1 #failure=3` */
function formatProbe(probe: Fields): string {
  const times = `delay=${probe.initialDelaySeconds ?? 0}s timeout=${probe.timeoutSeconds ?? 0}s period=${probe.periodSeconds ?? 0}s #success=${probe.successThreshold ?? 0} #failure=${probe.failureThreshold ?? 0}`;
  const command = asJsonObject(probe.exec).command;
  if (Array.isArray(command)) return `exec [${command.join(' ')}] ${times}`;
  if (probe.httpGet !== undefined) {
    const get = asJsonObject(probe.httpGet);
    const scheme = textOr(get.scheme, 'http').toLowerCase();
    return `http-get ${scheme}://${textOr(get.host, '')}:${get.port}${textOr(get.path, '')} ${times}`;
  }
  const socket = asJsonObject(probe.tcpSocket);
  if (probe.tcpSocket !== undefined) return `tcp-socket ${textOr(socket.host, '')}:${socket.port} ${times}`;
  return `unknown ${times}`;
}

function describeEnvironmentFrom(report: Report, level: number, sources: readonly Fields[]): void {
  if (sources.length === 0) return;
  report.line(level, 'Environment Variables from:');
  for (const source of sources) {
    const isConfigMap = source.configMapRef !== undefined;
    const reference = asJsonObject(isConfigMap ? source.configMapRef : source.secretRef);
    const prefix = source.prefix ? ` with prefix '${toCellText(source.prefix)}'` : '';
    const kind = isConfigMap ? 'ConfigMap' : 'Secret';
    report.line(
      level + 1,
      `${toCellText(reference.name)}\t${kind}${prefix}\tOptional: ${reference.optional === true}`,
    );
  }
}

function describeEnvironment(report: Report, level: number, variables: readonly Fields[]): void {
  report.line(level, `Environment:${variables.length === 0 ? '\t<none>' : ''}`);
  for (const variable of variables)
    report.field(level + 1, toCellText(variable.name), formatVariable(variable));
}

function formatVariable(variable: Fields): string {
  const from = asJsonObject(variable.valueFrom);
  const field = asJsonObject(from.fieldRef);
  const resource = asJsonObject(from.resourceFieldRef);
  const secret = asJsonObject(from.secretKeyRef);
  const map = asJsonObject(from.configMapKeyRef);
  if (from.fieldRef !== undefined) return ` (${textOr(field.apiVersion, 'v1')}:${field.fieldPath})`;
  if (from.resourceFieldRef !== undefined) return `(${resource.resource})`;
  if (from.secretKeyRef !== undefined) {
    return `<set to the key '${secret.key}' in secret '${secret.name}'>\tOptional: ${secret.optional === true}`;
  }
  if (from.configMapKeyRef !== undefined) {
    return `<set to the key '${map.key}' of config map '${map.name}'>\tOptional: ${map.optional === true}`;
  }
  return textOr(variable.value, '');
}

function describeMounts(report: Report, level: number, mounts: readonly Fields[]): void {
  report.line(level, `Mounts:${mounts.length === 0 ? '\t<none>' : ''}`);
  const sorted = [...mounts].sort((a, b) => (String(a.mountPath) < String(b.mountPath) ? -1 : 1));
  for (const mount of sorted) {
    const flags = [
      mount.readOnly === true ? 'ro' : 'rw',
      ...(mount.subPath ? [`path=${JSON.stringify(mount.subPath)}`] : []),
    ];
    report.line(
      level + 1,
      `${toCellText(mount.mountPath)} from ${toCellText(mount.name)} (${flags.join(',')})`,
    );
  }
}
