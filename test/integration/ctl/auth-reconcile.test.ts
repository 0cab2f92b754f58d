import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const group = 'rbac.authorization.orch.io';

/** A role, a binding and something else, in one file. */
function manifest(options: { verbs: string; user: string; role?: string; label?: string }): string {
  const { verbs, user, role = 'rc', label = 'a: b' } = options;
  return `apiVersion: ${group}/v1
kind: ClusterRole
metadata: {name: rc, labels: {${label}}}
rules:
- {apiGroups: [""], resources: [pods], verbs: [${verbs}]}
---
apiVersion: ${group}/v1
kind: ClusterRoleBinding
metadata: {name: rc}
roleRef: {apiGroup: ${group}, kind: ClusterRole, name: ${role}}
subjects:
- {apiGroup: ${group}, kind: User, name: ${user}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: skipped, namespace: default}
`;
}

const rule = (verbs: string): string =>
  `\t\t{Verbs:[${verbs}] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}\n`;
const subject = (name: string): string => `\t\t{Kind:User APIGroup:${group} Name:${name} Namespace:}\n`;
const roleLine = `clusterrole.${group}/rc reconciled\n`;
const bindingLine = `clusterrolebinding.${group}/rc reconciled\n`;

// The answers are those of the client of release 1.20 to the same files.
describe('ctl auth reconcile', () => {
  let server: CtlServer;
  const ctl = async (...argv: string[]) => {
    const { code, out, err } = await server.ctl(argv);
    return { code, out, err };
  };
  const reconcile = (text: string, ...flags: string[]) => {
    const file = join(server.folder, 'access.yaml');
    writeFileSync(file, text);
    return ctl('auth', 'reconcile', '-f', file, ...flags);
  };
  const stored = async (path: string): Promise<string> =>
    (await ctl('get', path.split(' ')[0] ?? '', 'rc', '-o', `jsonpath={${path.split(' ')[1]}}`)).out;

  before(async () => {
    server = await startCtlServer(['--controllers=none']);
  });
  after(() => server.stop());

  const removing = ['--remove-extra-permissions', '--remove-extra-subjects'];
  const first = { verbs: 'get, list', user: 'u' };
  const second = { verbs: 'watch, get', user: 'w', label: 'c: d' };

  it('makes what is not there, after a rehearsal that does not', async () => {
    const added = `\treconciliation required create\n\tmissing rules added:\n${rule('get list')}`;
    const bound = `\treconciliation required create\n\tmissing subjects added:\n${subject('u')}`;
    const note = (line: string): string => line.replace('\n', ' (dry run)\n');
    const rehearsed = await reconcile(manifest(first), '--dry-run=client');
    expect(rehearsed.out).to.equal(`${note(roleLine)}${note(bindingLine)}`);
    expect(rehearsed.err).to.equal(added + bound);
    const { code, out, err } = await reconcile(manifest(first));
    expect({ code, out, err }).to.deep.equal({
      code: 0,
      out: roleLine + bindingLine,
      err: added + bound,
    });
    expect((await reconcile(manifest(first))).out).to.equal(roleLine + bindingLine);
  });

  it('adds what is missing, and keeps the rest', async () => {
    const { err } = await reconcile(manifest(second));
    const update = '\treconciliation required update\n';
    expect(err).to.equal(
      `${update}\tmissing rules added:\n${rule('watch')}${update}\tmissing subjects added:\n${subject('w')}`,
    );
    expect(await stored('clusterrole .rules[*].verbs')).to.equal('["get","list"] ["watch"]');
    expect(await stored('clusterrole .metadata.labels')).to.equal('{"a":"b","c":"d"}');
    expect(await stored('clusterrolebinding .subjects[*].name')).to.equal('u w');
  });

  it('takes away what is more, where it is told to', async () => {
    const { err } = await reconcile(manifest(second), ...removing);
    const update = '\treconciliation required update\n';
    expect(err).to.equal(
      `${update}\textra rules removed:\n${rule('list')}${update}\textra subjects removed:\n${subject('u')}`,
    );
    expect(await stored('clusterrole .rules[*].verbs')).to.equal('["watch","get"]');
    expect(await stored('clusterrolebinding .subjects[*].name')).to.equal('w');
  });

  it('makes a binding anew that is to another role', async () => {
    const { out, err } = await reconcile(manifest({ ...second, role: 'view' }));
    expect([out, err]).to.deep.equal([roleLine + bindingLine, '\treconciliation required recreate\n']);
    expect(await stored('clusterrolebinding .roleRef.name')).to.equal('view');
  });

  it('leaves alone what opted out', async () => {
    await ctl('annotate', 'clusterrole', 'rc', `${group}/autoupdate=false`);
    const { err } = await reconcile(manifest({ ...first, user: 'w', role: 'view' }));
    expect(err).to.equal(
      `\treconciliation required update, but object opted out (${group}/autoupdate: false)\n\tmissing rules added:\n${rule('list')}`,
    );
    expect(await stored('clusterrole .rules[*].verbs')).to.equal('["watch","get"]');
  });

  it('prints objects alone where programs read them', async () => {
    const { out } = await reconcile(manifest(second), '-o', 'json');
    expect(JSON.parse(out.slice(0, out.indexOf('}\n{') + 1)).kind).to.equal('ClusterRole');
  });

  it('makes the namespace of a role, and needs files', async () => {
    const role = `apiVersion: ${group}/v1\nkind: Role\nmetadata: {name: r, namespace: fresh}\nrules: []\n`;
    expect((await reconcile(role)).code).to.equal(0);
    expect((await ctl('get', 'role', 'r', '-n', 'fresh', '-o', 'name')).out).to.equal(`role.${group}/r\n`);
    expect((await ctl('auth', 'reconcile')).err).to.equal('error: must specify one of -f and -k\n');
  });
});
