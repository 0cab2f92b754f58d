import { expect } from 'chai';
import { describe, it } from 'mocha';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { IscsiAdmin } from '../../../../src/nodeagent/disks/iscsi-admin.ts';
import { copyIface, parseIface, parseTransport } from '../../../../src/nodeagent/disks/iscsi-iface.ts';

const shown = `# BEGIN RECORD 2.0-873
iface.iscsi_ifacename = default
iface.net_ifacename = <empty>
iface.transport_name = tcp
iface.initiatorname = <empty>
iface.mtu = 0
# END RECORD
`;

describe('parseTransport', () => {
  for (const [what, output, name] of [
    ['the name', shown, 'tcp'],
    ['that of hardware', 'iface.transport_name = bnx2i\n', 'bnx2i'],
    ['tcp for none', 'iface.transport_name = <empty>\n', 'tcp'],
    ['nothing of another text', 'iscsiadm: no such record', undefined],
  ] as const) {
    it(`reads ${what}`, () => expect(parseTransport(output)).to.equal(name));
  }
});

describe('parseIface', () => {
  it('reads what is set, but not the name', () => {
    expect([...parseIface(shown)]).to.deep.equal([
      ['iface.transport_name', 'tcp'],
      ['iface.mtu', '0'],
    ]);
  });

  it('refuses lines that are no settings', () => {
    expect(() => parseIface('iface.mtu is 3')).to.throw('Error: invalid iface setting: iface.mtu is 3');
  });
});

describe('copyIface', () => {
  const calls: string[] = [];
  const adminThat = (codeOf: (call: string) => number): IscsiAdmin => {
    calls.length = 0;
    return new IscsiAdmin({
      devFolder: '',
      sysFolder: '',
      clock: systemClock,
      logger: silentLogger,
      async run(_program, args) {
        calls.push(args.join(' '));
        return { code: codeOf(calls.at(-1) ?? ''), output: 'no' };
      },
    });
  };
  const copy = (admin: IscsiAdmin): Promise<string> =>
    copyIface(admin, 'copy', { shown, initiatorName: 'iqn.2026-01.test.example:web' }).then(
      () => '',
      ({ message }) => message,
    );

  it('sets what the other has, and the name of the initiator', async () => {
    expect(await copy(adminThat(() => 0))).to.equal('');
    expect(calls).to.deep.equal([
      '-m iface -I copy -o new',
      '-m iface -I copy -o update -n iface.initiatorname -v iqn.2026-01.test.example:web',
      '-m iface -I copy -o update -n iface.mtu -v 0',
      '-m iface -I copy -o update -n iface.transport_name -v tcp',
    ]);
  });

  it('uses the copy that has a session', async () => {
    expect(await copy(adminThat((call) => (call.endsWith('new') ? 15 : 0)))).to.equal('');
  });

  it('says why none was made', async () => {
    expect(await copy(adminThat((call) => (call.endsWith('new') ? 6 : 0)))).to.equal(
      'iscsi: failed to create new iface: no (exit status 6)',
    );
  });

  it('leaves no half of a copy', async () => {
    expect(await copy(adminThat((call) => (call.includes('mtu') ? 6 : 0)))).to.equal(
      'iscsi: failed to update iface records: no (exit status 6)',
    );
    expect(calls.at(-1)).to.equal('-m iface -I copy -o delete');
  });
});
