import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { compactRules } from '../../../src/ctl/auth/access-list.ts';
import { makeSigningRequest } from '../../../src/nodeagent/certificates/signing-request.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

// The answers are those of the client of release 1.20 to the same lines.
describe('ctl, who may do what', () => {
  let server: CtlServer;
  const ctl = async (line: string) => {
    const { code, out, err } = await server.ctl(line.split(' '));
    return { code, out, err };
  };
  const yes = (err = '') => ({ code: 0, out: 'yes\n', err });
  const refused = (err: string) => ({ code: 1, out: '', err });

  before(async () => {
    server = await startCtlServer(['--controllers=none']);
  });
  after(() => server.stop());

  const questions: readonly [string, { code: number; out: string; err: string }][] = [
    ['get pods', yes()],
    ['get pods --as=alice', { code: 1, out: 'no\n', err: '' }],
    ['get pods --as=alice -q', refused('')],
    ['get pods -q', { code: 0, out: '', err: '' }],
    ['create deployments.apps/web -A', yes()],
    ['get nodes', yes("Warning: resource 'nodes' is not namespace scoped\n")],
    ['get nodes -A', yes()],
    [
      'get storageclasses',
      yes("Warning: resource 'storageclasses' is not namespace scoped in group 'storage.orch.io'\n"),
    ],
    ['get /healthz --as=alice --as-group=system:authenticated', yes()],
    ['fly pods', yes("Warning: verb 'fly' is not a known verb\n")],
    ['fly /x', yes("Warning: verb 'fly' is not a known verb\n")],
    ['get things', yes("Warning: the server doesn't have a resource type 'things'\n")],
    [
      'get things.example.com',
      yes("Warning: the server doesn't have a resource type 'things' in group 'example.com'\n"),
    ],
    ['* *', yes()],
    [
      'get',
      refused('error: you must specify two or three arguments: verb, resource, and optional resourceName\n'),
    ],
    ['--list get', refused('error: list option must be specified with no arguments\n')],
    [
      '--list -q',
      refused(
        "error: list option can't be specified with neither quiet, all-namespaces nor subresource options\n",
      ),
    ],
    ['get pods --no-headers', refused('error: --no-headers cannot be set without --list specified\n')],
    ['get /x --subresource=y', refused('error: --subresource can not be used with NonResourceURL\n')],
  ];
  for (const [line, answer] of questions) {
    it(`auth can-i ${line}`, async () => expect(await ctl(`auth can-i ${line}`)).to.deep.equal(answer));
  }

  it('auth can-i asks about parts and about objects by name', async () => {
    await ctl('create role logs --verb=get --resource=pods/log --resource-name=web');
    await ctl('create rolebinding logs --role=logs --user=carol');
    expect((await ctl('auth can-i get pods/web --subresource=log --as=carol')).out).to.equal('yes\n');
    expect((await ctl('auth can-i get pods/other --subresource=log --as=carol')).out).to.equal('no\n');
    expect((await ctl('auth can-i get pods/web --as=carol')).out).to.equal('no\n');
    const { out } = await ctl('auth can-i --list --as=carol');
    expect(out).to.match(/^Resources +Non-Resource URLs +Resource Names +Verbs\n/);
    expect(out).to.match(/\npods\/log +\[\] +\[web\] +\[get\]\n/);
  });

  it('joins rules of one resource, in the order of their verbs', () => {
    const rule = (verbs: string[], resources: string[], resourceNames: string[] = []) => ({
      verbs,
      apiGroups: [''],
      resources,
      resourceNames,
    });
    const rules = [
      rule(['list', 'get'], ['pods', 'nodes']),
      rule(['watch'], ['pods']),
      rule(['get'], ['pods'], ['a', 'b']),
      { verbs: ['get'], nonResourceURLs: ['/x', '/y'] },
    ];
    const shown = compactRules(rules).map(({ verbs, resources, resourceNames, nonResourceURLs }) =>
      [verbs, resources ?? nonResourceURLs, resourceNames ?? []].map((texts) => texts?.join('+')).join(' '),
    );
    expect(shown).to.deep.equal([
      'get /x ',
      'get /y ',
      'get pods a',
      'get pods b',
      'list+get+watch pods ',
      'list+get nodes ',
    ]);
  });

  it('auth whoami shows what the credentials say', async () => {
    const { out } = await ctl('auth whoami');
    expect(out).to.match(
      /^Username: +orch-admin\nGroups: +\[system:masters\]\nCredentials: +client certificate\n$/,
    );
  });

  const roles: readonly [string, string][] = [
    ['role r --verb=use --resource=pods', "error: can not perform 'use' on 'pods' in group ''\n"],
    ['role r --verb=get', 'error: at least one resource must be specified\n'],
    ['role r --resource=pods', 'error: at least one verb must be specified\n'],
    [
      'role r --verb=get --resource=/log',
      'error: resource must be specified if apiGroup/subresource specified\n',
    ],
    ['role r --verb=get --resource=x.y', 'the server doesn\'t have a resource type "x" in group "y"\n'],
    ['clusterrole r --verb=get', 'error: one of resource or nonResourceURL must be specified\n'],
    ['clusterrole r --verb=list --non-resource-url=/x', "error: invalid verb: 'list' for nonResourceURL\n"],
    [
      'clusterrole r --aggregation-rule=a=b --verb=get',
      'error: aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames\n',
    ],
    ['rolebinding b', 'error: exactly one of clusterrole or role must be specified\n'],
    ['rolebinding b --role=r --serviceaccount=x', 'error: serviceaccount must be <namespace>:<name>\n'],
  ];
  for (const [line, message] of roles) {
    it(`create ${line} is refused`, async () =>
      expect(await ctl(`create ${line}`)).to.deep.equal(refused(message)));
  }

  it('create role and clusterrole write a rule for each group', async () => {
    const dry = '--dry-run=client -o yaml';
    const resources = '--resource=pods,deployments.apps,pods/log';
    const { out } = await ctl(
      `create role r --verb=get --verb=list,get ${resources} --resource-name=a ${dry}`,
    );
    const rule = (group: string, names: string) =>
      `- apiGroups:\n  - ${group}\n  resourceNames:\n  - a\n  resources:\n${names}  verbs:\n  - get\n  - list\n`;
    const head = 'apiVersion: rbac.authorization.orch.io/v1\nkind: Role\n';
    expect(out).to.equal(
      `${head}metadata:\n  creationTimestamp: null\n  name: r\nrules:\n${rule('""', '  - pods\n  - pods/log\n')}${rule('apps', '  - deployments\n')}`,
    );
    const paths = await ctl(`create clusterrole r --verb=get --non-resource-url=/logs/* ${dry}`);
    expect(paths.out).to.contain('rules:\n- nonResourceURLs:\n  - /logs/*\n  verbs:\n  - get\n');
    const sum = await ctl(`create clusterrole r --aggregation-rule=a=b ${dry}`);
    expect(sum.out).to.match(/clusterRoleSelectors:\n {2}- matchLabels:\n {6}a: b\n[\s\S]*rules: null\n$/);
  });

  it('create clusterrolebinding and rolebinding name users, groups and accounts', async () => {
    const who = '--user=u --user=v --group=g --serviceaccount=n:s';
    const { code, out } = await ctl(`create clusterrolebinding all --clusterrole=view ${who}`);
    expect({ code, out }).to.deep.equal({
      code: 0,
      out: 'clusterrolebinding.rbac.authorization.orch.io/all created\n',
    });
    const subjects = await ctl(
      'get clusterrolebinding all -o jsonpath={.subjects[*].kind}:{.subjects[*].name}',
    );
    expect(subjects.out).to.equal('User User Group ServiceAccount:u v g s');
  });

  it('create token prints a token that lets the account in', async () => {
    await ctl('create serviceaccount robot');
    const { out } = await ctl('create token robot --duration=1h');
    const who = await ctl(`auth whoami --token=${out.trim()}`);
    expect(who.code).to.equal(0);
    const answer = await ctl(`get pods --token=${out.trim()} --client-certificate= --client-key=`);
    expect(answer.err + answer.out).not.to.match(/logged in/);
  });

  it('certificate approve and deny decide once', async () => {
    const pem = makeSigningRequest(
      { commonName: 'zed', organizations: [], dnsNames: [], ipAddresses: [] },
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    );
    for (const name of ['a', 'b']) {
      const object = {
        apiVersion: 'certificates.orch.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name },
        spec: {
          request: Buffer.from(pem).toString('base64'),
          signerName: 'orch.io/orch-apiserver-client',
          usages: ['client auth'],
        },
      };
      const file = join(server.folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(object));
      expect((await ctl(`create -f ${file}`)).code).to.equal(0);
    }
    const kind = 'certificatesigningrequest.certificates.orch.io';
    const done = (text: string) => ({ code: 0, out: `${kind}/${text}\n`, err: '' });
    expect(await ctl('certificate approve a')).to.deep.equal(done('a approved'));
    expect(await ctl('certificate approve a')).to.deep.equal(done('a approved'));
    expect(await ctl('certificate approve csr/a --force')).to.deep.equal(done('a approved'));
    const empty = join(server.folder, 'empty.yaml');
    writeFileSync(empty, '# nothing\n');
    expect((await ctl(`certificate approve -f ${empty}`)).out).to.equal('No resources found\n');
    expect(await ctl('certificate deny b -o name')).to.deep.equal(done('b'));
    const already = (name: string, as: string) =>
      refused(`error: certificate signing request "${name}" is already ${as}\n`);
    expect(await ctl('certificate deny a')).to.deep.equal(already('a', 'Approved'));
    expect(await ctl('certificate approve b')).to.deep.equal(already('b', 'Denied'));
    expect(await ctl('certificate approve')).to.deep.equal(
      refused('error: one or more CSRs must be specified as <name> or -f <filename>\n'),
    );
    const { out } = await ctl(
      'get csr a -o jsonpath={.status.conditions[0].reason}/{.status.conditions[0].message}',
    );
    expect(out).to.equal('CtlApprove/This CSR was approved by ctl certificate approve.');
  });
});
