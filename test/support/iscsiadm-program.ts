/**
 * Stands for `iscsiadm(8)` on a machine of folders (`scsi-machine.ts`): `iscsiadm-program.ts FOLDER ARGUMENT...`. Keeps its
 * records in `iscsiadm.json`, and each call as a line of `calls`.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attachPath, detachDevice, iscsiPathOf, type ScsiTarget } from './scsi-machine.ts';

type Settings = Record<string, string>;
interface Session {
  readonly id: number;
  readonly iqn: string;
  readonly portal: string;
  readonly iface: string;
}
interface Database {
  readonly ifaces: Record<string, Settings>;
  readonly discovery: Record<string, Settings>;
  readonly nodes: Record<string, Settings>;
  sessions: Session[];
  next: number;
}

/** What settings of secrets say in the record of calls. */
const hidden = /password|username/;
const [folder = '', ...args] = process.argv.slice(2);
const file = join(folder, 'iscsiadm.json');
const readOr = <T>(path: string, otherwise: T): T => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return otherwise; // nothing was kept yet
  }
};
const targets = readOr<Record<string, ScsiTarget>>(join(folder, 'targets.json'), {});
const database = readOr<Database>(file, {
  ifaces: { default: { 'iface.transport_name': 'tcp', 'iface.initiatorname': '<empty>' } },
  discovery: {},
  nodes: {},
  sessions: [],
  next: 1,
});
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const { values } = parseArgs({
  args,
  options: {
    mode: { ...text, short: 'm' },
    type: { ...text, short: 't' },
    portal: { ...text, short: 'p' },
    interface: { ...text, short: 'I' },
    targetname: { ...text, short: 'T' },
    op: { ...text, short: 'o' },
    name: { ...text, short: 'n' },
    value: { ...text, short: 'v' },
    discover: flag,
    login: flag,
    logout: flag,
  },
});
const { portal = '', interface: iface = '', targetname: iqn = '', op, name = '', value = '' } = values;

function fail(code: number, message: string): never {
  writeFileSync(file, JSON.stringify(database));
  process.stderr.write(`iscsiadm: ${message}\n`);
  process.exit(code);
}

/** Settings that a target asks for are there. */
const knows = (settings: Settings, secrets: Settings, prefix: string): boolean =>
  Object.entries(secrets).every(([key, secret]) => !key.startsWith(prefix) || settings[key] === secret);

function changeRecord(records: Record<string, Settings>, key: string, fresh: Settings): void {
  if (op === 'new') records[key] = { ...fresh };
  else if (records[key] === undefined) fail(21, 'No records found');
  else if (op === 'update') records[key][name] = value;
  else if (op === 'delete') delete records[key];
}

function discover(): void {
  const settings = database.discovery[portal];
  if (settings === undefined) fail(21, 'No records found');
  const found = Object.entries(targets).filter(([, target]) => target.portals.includes(portal));
  if (found.length === 0) fail(4, `cannot make connection to ${portal}: Connection refused`);
  for (const [name, { secrets = {}, portals }] of found) {
    if (!knows(settings, secrets, 'discovery.')) {
      fail(24, `Login failed to authenticate with ${settings['discovery.sendtargets.auth.password']}`);
    }
    for (const one of portals) database.nodes[`${name},${one},${iface}`] ??= { 'node.startup': 'automatic' };
  }
}

async function login(): Promise<void> {
  const settings = database.nodes[`${iqn},${portal},${iface}`];
  const target = targets[iqn];
  if (settings === undefined || target === undefined) fail(21, 'No records found');
  if (target.refusing?.includes(portal) === true)
    fail(8, `Could not login to ${portal}: iSCSI login timed out`);
  if (!knows(settings, target.secrets ?? {}, 'node.')) {
    fail(24, `Login failed to authenticate with ${settings['node.session.auth.password']}`);
  }
  const id = database.next++;
  const session = { id, iqn, portal, iface };
  database.sessions.push(session);
  const root = join(folder, `sys/class/iscsi_host/host${id}/device/session${id}`);
  const [, address = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(portal) ?? [];
  write(join(root, `iscsi_session/session${id}`), { targetname: iqn, ifacename: iface });
  const connection = { address, port, persistent_address: address, persistent_port: port };
  write(join(root, `connection${id}:0/iscsi_connection/connection${id}:0`), connection);
  write(join(folder, `sys/class/scsi_host/host${id}`), { scan: '', session: JSON.stringify(session) });
  if (settings['node.session.scan'] === 'manual') return;
  for (const lun of Object.keys(target.luns)) {
    const path = iscsiPathOf(folder, session, lun);
    if (path !== undefined) await attachPath(folder, path);
  }
}

function write(path: string, files: Settings): void {
  mkdirSync(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
}

async function logout(): Promise<void> {
  const ended = database.sessions.filter(
    (one) => one.iqn === iqn && one.portal === portal && (iface === '' || one.iface === iface),
  );
  if (ended.length === 0) fail(21, 'No matching sessions found');
  database.sessions = database.sessions.filter((one) => !ended.includes(one));
  for (const session of ended) {
    const { id } = session;
    for (const lun of Object.keys(targets[iqn]?.luns ?? {})) {
      const block = iscsiPathOf(folder, session, lun)?.block ?? '';
      for (const device of namesIn(block)) await detachDevice(folder, device);
    }
    for (const kind of ['iscsi_host', 'scsi_host']) {
      rmSync(join(folder, `sys/class/${kind}/host${id}`), { recursive: true, force: true });
    }
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // the LUN was not looked for
  }
}

function changeNodes(): void {
  const prefix = `${iqn},${portal},`;
  const keys = Object.keys(database.nodes).filter((key) =>
    key.startsWith(iface === '' ? prefix : prefix + iface),
  );
  if (keys.length === 0) fail(21, 'No records found');
  for (const key of keys) changeRecord(database.nodes, key, {});
}

function changeIface(): void {
  if (op === 'show') {
    const settings = database.ifaces[iface];
    if (settings === undefined) fail(6, `Could not read iface ${iface} (6).`);
    const lines = Object.entries({ 'iface.iscsi_ifacename': iface, ...settings });
    process.stdout.write(
      `# BEGIN RECORD 2.1\n${lines.map(([key, one]) => `${key} = ${one}\n`).join('')}# END RECORD\n`,
    );
    return;
  }
  const hasSession = database.sessions.some((session) => session.iface === iface);
  if (op === 'new' && hasSession) fail(15, 'iface is in use by a session');
  changeRecord(database.ifaces, iface, { 'iface.transport_name': 'tcp' });
}

appendFileSync(
  join(folder, 'calls'),
  `${args.map((one) => (hidden.test(name) && one === value ? 'SECRET' : one)).join(' ')}\n`,
);
if (values.mode === 'iface') changeIface();
else if (values.discover === true) discover();
else if (values.mode === 'discoverydb') changeRecord(database.discovery, portal, {});
else if (values.login === true) await login();
else if (values.logout === true) await logout();
else changeNodes();
writeFileSync(file, JSON.stringify(database));
