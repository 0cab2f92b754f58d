import { errorText } from '../../base/index.ts';
import type { AdminResult, IscsiAdmin } from './iscsi-admin.ts';
import type { ChapAccess, IscsiDisk } from './iscsi-disk.ts';

/** Settings that a secret may have, of the two times at which a target may ask. */
const secretNames = (prefix: string): string[] =>
  ['username', 'password', 'username_in', 'password_in'].map((name) => `${prefix}.auth.${name}`);
const discoverySecrets = secretNames('discovery.sendtargets');
const sessionSecrets = secretNames('node.session');

/** What a login is made with. */
export interface LoginInputs {
  readonly disk: IscsiDisk;
  readonly portal: string;
  readonly chap: ChapAccess | undefined;
  /** Something failed that does not stand in the way. */
  readonly onWarning: (message: string, output: string) => void;
}

/** Finds the targets of a portal and begins a session with that of the disk. @throws Error with release 1.20's message */
export async function logIn(admin: IscsiAdmin, inputs: LoginInputs): Promise<void> {
  const { disk, portal, onWarning } = inputs;
  const { iqn, iface } = disk;
  await discover(admin, inputs);
  const node = ['-m', 'node', '-p', portal, '-T', iqn];
  const record = [...node, '-I', iface];
  // LUNs that nobody asked for must not appear: who looks for one asks for it.
  const scan = await admin.run(...record, '-o', 'update', '-n', 'node.session.scan', '-v', 'manual');
  if (scan.code !== 0) onWarning('iSCSI sessions may bring LUNs that nobody asked for', scan.output);
  try {
    await setChap(admin, record, sessionAccess(inputs));
  } catch (cause) {
    throw new Error(`iscsi: failed to update iscsi node to portal ${portal} error: ${errorText(cause)}`, {
      cause,
    });
  }
  const login = await admin.run(...record, '--login');
  if (login.code !== 0) {
    await admin.run(...record, '-o', 'delete');
    throw new Error(`iscsi: failed to attach disk: Error: ${login.output} (${login.end})`);
  }
  // Otherwise the machine would wait for the target when it starts.
  const manual = await admin.run(...node, '-o', 'update', '-n', 'node.startup', '-v', 'manual');
  if (manual.code !== 0) onWarning('iSCSI login mode not set to manual', manual.output);
}

async function discover(admin: IscsiAdmin, { disk, portal, chap }: LoginInputs): Promise<void> {
  const record = ['-m', 'discoverydb', '-t', 'sendtargets', '-p', portal, '-I', disk.iface];
  // One that is there already serves as well; one that cannot be made fails the discovery.
  await admin.run(...record, '-o', 'new');
  try {
    await setChap(admin, record, {
      isUsed: chap?.discovery === true,
      what: 'discoverydb',
      keyOf: 'discoverydb key',
      method: 'discovery.sendtargets.auth.authmethod',
      names: discoverySecrets,
      secrets: chap?.secrets ?? {},
    });
  } catch (cause) {
    const what = `iscsi: failed to update discoverydb to portal ${portal}`;
    throw new Error(`${what} error: ${errorText(cause)}`, { cause });
  }
  const found = await admin.run(...record, '--discover');
  if (found.code === 0) return;
  await admin.run(...record, '-o', 'delete');
  throw new Error(
    `iscsi: failed to sendtargets to portal ${portal} output: ${found.output}, err ${found.end}`,
  );
}

const sessionAccess = ({ chap }: LoginInputs): ChapSettings => ({
  isUsed: chap?.session === true,
  what: 'node',
  keyOf: 'node session key',
  method: 'node.session.auth.authmethod',
  names: sessionSecrets,
  secrets: chap?.secrets ?? {},
});

interface ChapSettings {
  readonly isUsed: boolean;
  /** Words of messages. */
  readonly what: string;
  readonly keyOf: string;
  /** Setting that chooses CHAP. */
  readonly method: string;
  readonly names: readonly string[];
  readonly secrets: ChapAccess['secrets'];
}

async function setChap(admin: IscsiAdmin, record: readonly string[], settings: ChapSettings): Promise<void> {
  const { isUsed, what, keyOf, method, names, secrets } = settings;
  if (!isUsed) return;
  const refuse = (doing: string, word: string, { output }: AdminResult): Error =>
    new Error(`iscsi: failed to update ${doing}${word} ${output}`);
  const chosen = await admin.run(...record, '-o', 'update', '-n', method, '-v', 'CHAP');
  if (chosen.code !== 0) throw refuse(`${what} with CHAP`, ', output:', chosen);
  for (const name of names) {
    const value = secrets[name] ?? '';
    if (value === '') continue;
    const set = await admin.setSecret(record, name, value);
    if (set.code !== 0) throw refuse(`${keyOf} "${name}"`, ' error:', set);
  }
}
