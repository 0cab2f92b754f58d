import { expect } from 'chai';
import fc from 'fast-check';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { driverOptions, redactSecrets } from '../../../../src/nodeagent/volume-plugins/driver-options.ts';

const plain = { fsType: 'ext4', isReadOnly: false, volumeName: 'v', options: {} };
const pod = {
  name: 'web',
  namespace: 'shop',
  uid: 'u-1',
  serviceAccountName: 'default',
  groupId: 2000,
  secrets: { key: 'UzNjcjN0' },
};

describe('driverOptions', () => {
  it('tells of the volume alone when there is no pod', () => {
    expect(JSON.parse(driverOptions(orchDialect, { ...plain, isReadOnly: true }))).to.deep.equal({
      'orch.io/fsType': 'ext4',
      'orch.io/readwrite': 'ro',
      'orch.io/pvOrVolumeName': 'v',
    });
  });

  it('tells of the pod, its group and its secrets, and lets the author have the last word', () => {
    const options = { share: 'a/b', 'orch.io/fsType': 'xfs' };
    const text = driverOptions(orchDialect, { ...plain, options, pod });
    expect(JSON.parse(text)).to.deep.equal({
      'orch.io/fsType': 'xfs',
      'orch.io/readwrite': 'rw',
      'orch.io/pvOrVolumeName': 'v',
      'orch.io/pod.name': 'web',
      'orch.io/pod.namespace': 'shop',
      'orch.io/pod.uid': 'u-1',
      'orch.io/serviceAccount.name': 'default',
      'orch.io/secret/key': 'UzNjcjN0',
      'orch.io/mounterArgs.FsGroup': '2000',
      share: 'a/b',
    });
    const keys = Object.keys(JSON.parse(text));
    expect(keys).to.deep.equal([...keys].sort());
  });

  it('spells its own names in the dialect, and those of others as they are', () => {
    const text = driverOptions(createDialect('kubernetes'), {
      ...plain,
      options: { 'orch.io/mine': '1' },
      pod: { ...pod, groupId: undefined, secrets: { 'orch.io': 'eA==' } },
    });
    const keys = Object.keys(JSON.parse(text));
    expect(keys).to.include('orch.io/mine');
    expect(keys.filter((key) => key.endsWith('/secret/orch.io'))).to.have.length(1);
    expect(keys.filter((key) => key.endsWith('FsGroup'))).to.deep.equal([]);
  });
});

describe('redactSecrets', () => {
  it('hides secrets, encoded or not', () => {
    expect(redactSecrets('bad password S3cr3t (UzNjcjN0)', ['UzNjcjN0'])).to.equal(
      'bad password <redacted> (<redacted>)',
    );
  });

  it('leaves no secret in any text', () => {
    const secret = fc.string({ minLength: 6, maxLength: 20 }).filter((text) => text.trim().length >= 6);
    fc.assert(
      fc.property(fc.string(), secret, fc.string(), (before, hidden, after) => {
        fc.pre(!'<redacted>'.includes(hidden.trim()));
        const data = Buffer.from(hidden).toString('base64');
        const clean = redactSecrets(`${before}${data}${after}`, [data]);
        expect(clean.includes(data)).to.equal(false);
      }),
    );
  });
});
