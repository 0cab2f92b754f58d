import { asJsonObject } from '../../base/index.ts';
import { escapePath } from '../../machinery/go-values/index.ts';
import { describeEnvironment } from './environment.ts';
import { asRecords, type Fields, type Report, shownText, sortedEntries, textOr } from './report.ts';
import { formatLocalTime } from './times.ts';

/** Where containers are. */
export interface ContainersPlace {
  readonly statuses?: readonly Fields[];
  /** Further in by one level in a template. */
  readonly level?: number;
  /** The pod; undefined in a template. */
  readonly pod?: Fields;
}

/** Writes containers with their state, resources, probes, environment and mounts. */
export function describeContainers(
  report: Report,
  label: string,
  containers: readonly Fields[],
  { statuses = [], level = 0, pod }: ContainersPlace = {},
): void {
  report.line(level, `${label}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    // In a template only the names are further in, by one blank.
    report.line(1, `${' '.repeat(level)}${shownText(container.name)}:`);
    describeContainer(report, container, status, pod);
  }
}

function describeContainer(
  report: Report,
  container: Fields,
  status: Fields | undefined,
  pod: Fields | undefined,
): void {
  if (status !== undefined) report.field(2, 'Container ID', status.containerID);
  report.field(2, 'Image', container.image);
  if (status !== undefined) report.field(2, 'Image ID', status.imageID);
  describePorts(report, asRecords(container.ports));
  describeLines(report, 'Command', container.command);
  describeLines(report, 'Args', container.args);
  if (status !== undefined) {
    describeState(report, 'State', asJsonObject(status.state));
    const last = asJsonObject(status.lastState);
    if (last.terminated !== undefined) describeState(report, 'Last State', last);
    report.field(2, 'Ready', status.ready === true ? 'True' : 'False');
    report.field(2, 'Restart Count', status.restartCount ?? 0);
  }
  const resources = asJsonObject(container.resources);
  describeQuantities(report, 'Limits', resources.limits);
  describeQuantities(report, 'Requests', resources.requests);
  for (const [label, probe] of [
    ['Liveness', container.livenessProbe],
    ['Readiness', container.readinessProbe],
    ['Startup', container.startupProbe],
  ] as const) {
    if (probe !== undefined) report.line(2, `${label}:\t${formatProbe(asJsonObject(probe))}`);
  }
  describeEnvironment(report, 2, container, pod);
  describeMounts(report, container);
}

function describePorts(report: Report, ports: readonly Fields[]): void {
  for (const [label, field] of [
    ['Port', 'containerPort'],
    ['Host Port', 'hostPort'],
  ] as const) {
    const pairs = ports.map((port) => `${port[field] ?? 0}/${textOr(port.protocol, 'TCP')}`);
    report.field(2, pairs.length > 1 ? `${label}s` : label, pairs.join(', ') || '<none>');
  }
}

function describeLines(report: Report, label: string, list: unknown): void {
  if (!Array.isArray(list) || list.length === 0) return;
  report.line(2, `${label}:`);
  for (const item of list) for (const line of shownText(item).split('\n')) report.line(3, line);
}

function describeState(report: Report, label: string, state: Fields): void {
  const running = asJsonObject(state.running);
  const waiting = asJsonObject(state.waiting);
  const terminated = asJsonObject(state.terminated);
  if (state.running !== undefined) {
    report.field(2, label, 'Running');
    report.field(3, 'Started', formatLocalTime(running.startedAt));
  } else if (state.terminated !== undefined) {
    report.field(2, label, 'Terminated');
    if (terminated.reason) report.field(3, 'Reason', terminated.reason);
    if (terminated.message) report.field(3, 'Message', terminated.message);
    report.field(3, 'Exit Code', terminated.exitCode ?? 0);
    if (terminated.signal) report.field(3, 'Signal', terminated.signal);
    report.field(3, 'Started', formatLocalTime(terminated.startedAt));
    report.field(3, 'Finished', formatLocalTime(terminated.finishedAt));
  } else {
    report.field(2, label, 'Waiting');
    if (waiting.reason) report.field(3, 'Reason', waiting.reason);
  }
}

function describeQuantities(report: Report, label: string, quantities: unknown): void {
  const entries = sortedEntries(quantities);
  if (entries.length > 0) report.line(2, `${label}:`);
  for (const [name, quantity] of entries) report.field(3, shownText(name), quantity);
}

function describeMounts(report: Report, container: Fields): void {
  const by = (field: string) => (a: Fields, b: Fields) => (String(a[field]) < String(b[field]) ? -1 : 1);
  const mounts = [...asRecords(container.volumeMounts)].sort(by('mountPath'));
  report.line(2, `Mounts:${mounts.length === 0 ? '\t<none>' : ''}`);
  for (const mount of mounts) {
    const flags = [
      mount.readOnly === true ? 'ro' : 'rw',
      ...(mount.subPath ? [`path=${JSON.stringify(mount.subPath)}`] : []),
    ];
    report.line(3, `${shownText(mount.mountPath)} from ${shownText(mount.name)} (${flags.join(',')})`);
  }
  const devices = [...asRecords(container.volumeDevices)].sort(by('devicePath'));
  const noneMounted = report.isRelease && mounts.length === 0 ? '\t<none>' : '';
  if (devices.length > 0) report.line(2, `Devices:${noneMounted}`);
  for (const device of devices)
    report.line(3, `${shownText(device.devicePath)} from ${shownText(device.name)}`);
}

/** `http-get http://:80/health delay=0s timeout=1s period=10s #success=1 #failure=3` */
function formatProbe(probe: Fields): string {
  const count = (field: string) => probe[field] ?? 0;
  const times = `delay=${count('initialDelaySeconds')}s timeout=${count('timeoutSeconds')}s period=${count('periodSeconds')}s #success=${count('successThreshold')} #failure=${count('failureThreshold')}`;
  return `${shownText(formatHandler(probe))} ${times}`;
}

function formatHandler(probe: Fields): string {
  const { command } = asJsonObject(probe.exec);
  if (probe.exec !== undefined) return `exec [${Array.isArray(command) ? command.join(' ') : ''}]`;
  if (probe.httpGet !== undefined) {
    const get = asJsonObject(probe.httpGet);
    const host = textOr(get.host, '');
    const path = escapePath(textOr(get.path, ''));
    const slash = path === '' || path.startsWith('/') ? '' : '/';
    return `http-get ${textOr(get.scheme, 'http').toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${get.port}${slash}${path}`;
  }
  if (probe.tcpSocket === undefined) return 'unknown';
  const socket = asJsonObject(probe.tcpSocket);
  return `tcp-socket ${textOr(socket.host, '')}:${socket.port}`;
}
