import { errorText } from '../../base/index.ts';
import type { IscsiAdmin } from './iscsi-admin.ts';
import type { IscsiDisk } from './iscsi-disk.ts';

/** iscsiadm(8): there is a session with the record. */
const sessionExists = 15;

/** The transport that a record of `iscsiadm -m iface -o show` names; undefined when it names none. */
export function parseTransport(output: string): string | undefined {
  const [, name] = /^iface\.transport_name = (.*)$/m.exec(output) ?? [];
  return name === '<empty>' ? 'tcp' : name;
}

/** Settings of a record that a copy of it gets. @throws Error for lines of an unknown form */
export function parseIface(output: string): Map<string, string> {
  const settings = new Map<string, string>();
  for (const line of output.split('\n')) {
    if (!line.startsWith('iface.') || line.includes('<empty>')) continue;
    const [name = '', equals, value, ...more] = line.trim().split(/\s+/);
    if (equals !== '=' || value === undefined || more.length > 0)
      throw new Error(`Error: invalid iface setting: ${line.trim()}`);
    // The name of a record is that of its file.
    if (name !== 'iface.iscsi_ifacename') settings.set(name, value);
  }
  return settings;
}

/** Reads the record that a disk's sessions are made with, or that is copied for them. @throws Error */
export async function readIface(admin: IscsiAdmin, { iface, copied }: IscsiDisk): Promise<string> {
  const name = copied?.from ?? iface;
  const { code, output, end } = await admin.run('-m', 'iface', '-I', name, '-o', 'show');
  if (code !== 0) throw new Error(`iscsi: could not read iface ${name} error: ${output} (${end})`);
  return output;
}

/** Makes the copy of a record that has the initiator name of the volume. @throws Error with release 1.20's message */
export async function copyIface(
  admin: IscsiAdmin,
  iface: string,
  { shown, initiatorName }: { readonly shown: string; readonly initiatorName: string },
): Promise<void> {
  let settings: Map<string, string>;
  try {
    settings = parseIface(shown).set('iface.initiatorname', initiatorName);
  } catch (cause) {
    throw new Error(`iscsi: failed to parse iface records: ${shown} (${errorText(cause)})`, { cause });
  }
  const made = await admin.run('-m', 'iface', '-I', iface, '-o', 'new');
  if (made.code !== 0 && made.code !== sessionExists) {
    throw new Error(`iscsi: failed to create new iface: ${made.output} (${made.end})`);
  }
  for (const [name, value] of [...settings].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { code, output, end } = await admin.run(
      '-m',
      'iface',
      '-I',
      iface,
      '-o',
      'update',
      '-n',
      name,
      '-v',
      value,
    );
    if (code === 0) continue;
    await admin.run('-m', 'iface', '-I', iface, '-o', 'delete');
    throw new Error(`iscsi: failed to update iface records: ${output} (${end})`);
  }
}
