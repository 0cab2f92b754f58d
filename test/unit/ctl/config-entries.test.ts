import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from './support/run.ts';

const text = `apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {tls-server-name: t}
contexts:
- name: a
  context: {cluster: c}
- name: b
  context: {}
current-context: a
users: []
`;

describe('ctl config, in the words of release 1.20', () => {
  let folder: TemporaryDirectory;
  let file: string;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    file = join(folder.path, 'config');
    writeFileSync(file, text);
  });
  afterEach(() => folder.remove());

  const config = (line: string) => run(['config', ...line.split(' '), '--orchconfig', file]);

  it('shows servers, clusters and users of entries that have none', async () => {
    expect((await config('view')).out).to.equal(
      `apiVersion: v1
clusters:
- cluster:
    server: ""
    tls-server-name: t
  name: c
contexts:
- context:
    cluster: c
    user: ""
  name: a
- context:
    cluster: ""
    user: ""
  name: b
current-context: a
kind: Config
preferences: {}
users: null
`,
    );
  });

  it('knows use-context by its short name', async () => {
    expect((await config('use b')).out).to.equal('Switched to context "b".\n');
    expect(readFileSync(file, 'utf8')).to.include('current-context: b');
  });

  const mistakes: readonly (readonly [line: string, message: string])[] = [
    ['set-cluster c --embed-certs', 'you must specify a --certificate-authority to embed'],
    ['set-credentials u --embed-certs', 'you must specify a --client-certificate or --client-key to embed'],
    [
      'set-credentials u --embed-certs --client-key=/nonexistent',
      'could not stat client-key file /nonexistent: stat /nonexistent: no such file or directory',
    ],
    ['set-context a --current', 'you cannot specify both a context name and --current'],
    ['unset clusters.zz.server', 'current map key `zz` is invalid'],
    ['rename-context a b', 'cannot rename the context "a", the context "b" already exists in FILE'],
  ];
  for (const [line, message] of mistakes) {
    it(`refuses ${line}`, async () => {
      const { code, err } = await config(line);
      expect({ code, err: err.replace(file, 'FILE') }).to.deep.equal({ code: 1, err: `error: ${message}\n` });
      expect(readFileSync(file, 'utf8')).to.equal(text);
    });
  }
});
