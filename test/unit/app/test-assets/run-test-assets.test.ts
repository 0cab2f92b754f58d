import { expect } from 'chai';
import { testServerArguments } from '../../../../src/app/test-assets/run-test-assets.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';

const dialect = createDialect('kubernetes');
const own = ['--dialect=kubernetes', '--ephemeral', '--write-orchconfig=false'];

describe('the command line of a test server', () => {
  const cases: readonly (readonly [string, string[], string[], string[]])[] = [
    ['keeps what has an effect', ['--secure-port=1', '-v', '2'], ['--secure-port=1', '-v', '2'], []],
    ['drops the store', ['--etcd-servers', 'http://a', '--v=1'], ['--v=1'], ['--etcd-servers']],
    ['drops a port that is none', ['--insecure-port=0'], [], ['--insecure-port']],
    ['drops truths without a value', ['--logtostderr', '--v=1'], ['--v=1'], ['--logtostderr']],
    [
      'knows flags by the names of its dialect',
      ['--kubelet-timeout=3s', '--kubelet_timeout', '4s'],
      ['--kubelet-timeout=3s', '--kubelet_timeout', '4s'],
      [],
    ],
    [
      'passes over what is empty',
      ['', '--v=1', '', '--advertise-address', ''],
      ['--v=1', '--advertise-address', ''],
      [],
    ],
    ['leaves what nobody knows to the server', ['--odd', '--odd=1'], ['--odd', '--odd=1'], []],
  ];
  for (const [what, argv, kept, ignored] of cases) {
    it(what, () => {
      expect(testServerArguments(argv, dialect)).to.deep.equal({ argv: [...kept, ...own], ignored });
    });
  }

  it('takes every flag of the release', async () => {
    const { default: reference } = await import('../../../../src/config/serve/reference-flags.json', {
      with: { type: 'json' },
    });
    const flags = reference.flags.filter(({ support }) => support !== 'yes');
    const argv = flags.map(({ name, type }) => dialect.spell(type === 'bool' ? `--${name}` : `--${name}=0`));
    expect(testServerArguments(argv, dialect).argv).to.deep.equal(own);
  });
});
