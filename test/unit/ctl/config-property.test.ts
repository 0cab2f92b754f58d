import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { run } from './support/run.ts';

describe('ctl config set and unset', () => {
  let folder: string;
  let file: string;
  const config = (...argv: string[]) => run(['config', ...argv], { env: { ORCHCONFIG: file }, home: folder });
  const said = async (...argv: string[]) => {
    const { code, out, err } = await config(...argv);
    return code === 0 ? out : err;
  };
  const content = () => load(readFileSync(file, 'utf8')) as Record<string, unknown>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'config-property-'));
    file = join(folder, 'config');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('make a file of single values', async () => {
    expect(await said('set', 'clusters.a.server', 'https://x')).to.equal(
      'Property "clusters.a.server" set.\n',
    );
    await said('set', 'clusters.a.insecure-skip-tls-verify', 'true');
    await said('set', 'clusters.a.certificate-authority-data', 'hello', '--set-raw-bytes');
    // As programs print it that break lines.
    await said('set', 'clusters.b.certificate-authority-data', 'aGVs\nbG8=\n');
    await said('set', 'contexts.my.dotted.name.cluster', 'a');
    await said('set', 'users.u.token', 't');
    await said('set', 'current-context', 'my.dotted.name');
    expect(content()).to.deep.include({
      'current-context': 'my.dotted.name',
      clusters: [
        {
          name: 'a',
          cluster: {
            server: 'https://x',
            'insecure-skip-tls-verify': true,
            'certificate-authority-data': 'aGVsbG8=',
          },
        },
        { name: 'b', cluster: { 'certificate-authority-data': 'aGVsbG8=' } },
      ],
      contexts: [{ name: 'my.dotted.name', context: { cluster: 'a' } }],
      users: [{ name: 'u', user: { token: 't' } }],
    });
    expect(statSync(file).mode & 0o77, 'others must not read tokens').to.equal(0);
  });

  it('take values and entries away, and leave others', async () => {
    await said('set', 'contexts.c.cluster', 'a');
    await said('set', 'contexts.c.namespace', 'n');
    await said('set', 'contexts.d.cluster', 'a');
    await said('set', 'current-context', 'c');
    expect(await said('unset', 'contexts.c.namespace')).to.equal('Property "contexts.c.namespace" unset.\n');
    await said('unset', 'contexts.d');
    await said('unset', 'current-context');
    expect(await said('unset', 'contexts.none')).to.equal('Property "contexts.none" unset.\n');
    expect(content()).to.deep.include({
      'current-context': '',
      contexts: [{ name: 'c', context: { cluster: 'a' } }],
    });
  });

  for (const [argv, message] of [
    [['set', 'foo', 'x'], 'unable to parse foo'],
    [['set', 'clusters.a', 'x'], 'clusters.a is no single value; its fields are server'],
    [
      ['set', 'clusters.a.insecure-skip-tls-verify', 'maybe'],
      'strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      ['set', 'users.u.client-key-data', '!'],
      'client-key-data must be base64, or given with --set-raw-bytes',
    ],
    [['set', 'clusters'], 'Unexpected args: [clusters]'],
    [['unset', 'a', 'b'], 'Unexpected args: [a b]'],
    [['view', '--merge=false'], 'if merge==false a precise file must to specified'],
  ] as const) {
    it(`refuse ${argv.join(' ')}`, async () => {
      const { code, err } = await config(...argv);
      expect(code).to.equal(1);
      expect(err).to.contain(message);
    });
  }
});
