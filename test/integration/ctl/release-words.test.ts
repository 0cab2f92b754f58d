import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const list = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: ['first', 'second'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })),
});
const pair = (data: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: im}
immutable: true
data: {a: ${data}}
---
apiVersion: v1
kind: Secret
metadata: {name: im}
type: ${data}
`;

/** What the client of release 1.20.2 prints of the same, against the same server. */
describe('ctl in the kubernetes dialect', () => {
  let site: CtlServer;
  before(async () => {
    site = await startCtlServer(['--controllers=none', '--dialect=kubernetes', '--authorization-mode=RBAC']);
  });
  after(() => site.stop());

  const run = (line: string, stdin?: string) =>
    site.ctl(line.split(' '), {
      env: { ORCH_DIALECT: 'kubernetes' },
      ...(stdin === undefined ? {} : { stdin }),
    });

  it('names no file for objects of a list', async () => {
    expect((await run('create -f -', list)).code).to.equal(0);
    expect((await run('create -f -', list)).err).to.equal(
      ['first', 'second']
        .map((name) => `Error from server (AlreadyExists): configmaps "${name}" already exists\n`)
        .join(''),
    );
  });

  it('says what apply was doing when the server refused', async () => {
    expect((await run('apply -f -', pair('a'))).out).to.equal('configmap/im created\nsecret/im created\n');
    expect((await run('apply -f - --as=bob', pair('b'))).err.split('\n').slice(0, 3)).to.deep.equal([
      'Error from server (Forbidden): error when retrieving current configuration of:',
      'Resource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"',
      'Name: "im", Namespace: "default"',
    ]);
    const { err } = await run('apply -f -', pair('b'));
    const lines = err.split('\n');
    expect(lines[0]).to.equal('Error from server (Invalid): error when applying patch:');
    expect(JSON.parse(lines[1] ?? '').data).to.deep.equal({ a: 'b' });
    expect(lines.slice(2, 6)).to.deep.equal([
      'to:',
      'Resource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"',
      'Name: "im", Namespace: "default"',
      'for: "STDIN": ConfigMap "im" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    ]);
    expect((await run('apply -f - --as=bob', pair('b').replaceAll('im}', 'new}'))).err).to.include(
      'from server for: "STDIN": configmaps "new" is forbidden',
    );
    expect((await run('apply -f - --server-side --as=bob', pair('b'))).err).to.match(
      /^Error from server \(Forbidden\): configmaps "im" is forbidden: /,
    );
  });

  it('prints several applied objects as one list, and nothing when one of them fails', async () => {
    const { out, code } = await run('apply -f - -o json', pair('a'));
    expect(code).to.equal(0);
    const { kind, items } = JSON.parse(out);
    expect([kind, items.map((item: { kind: string }) => item.kind)]).to.deep.equal([
      'List',
      ['ConfigMap', 'Secret'],
    ]);
    expect(JSON.parse((await run('apply -f - -o json', pair('a').split('---')[0])).out).kind).to.equal(
      'ConfigMap',
    );
    expect((await run('apply -f - -o yaml', pair('b'))).out).to.equal('');
  });

  it('names kinds only where several are shown', async () => {
    expect((await run('get cm,secret first')).out).to.match(/^NAME .*\nfirst /);
    expect((await run('get cm,secret im')).out).to.match(
      /^NAME .*\nconfigmap\/im .*\n\nNAME .*\nsecret\/im /,
    );
  });

  it('shows the words of the server about fields of others', async () => {
    const file = pair('a').split('---')[0]?.replace('a: a', 'a: z').replace('immutable: true\n', '');
    const named = file?.replace('{name: im}', '{name: first}');
    expect((await run('apply -f - --server-side --field-manager=one', named)).code).to.equal(0);
    const { err } = await run('apply -f - --server-side --field-manager=two', named?.replace('a: z', 'a: v'));
    expect(err.split('\n')[0]).to.equal('error: Apply failed with 1 conflict: conflict with "one": .data.a');
  });

  it('names objects of files that it asks nobody about by their kinds', async () => {
    const policy = 'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: np}\n';
    expect((await run('set image -f - c=i --local', policy)).err).to.include(
      'error: networkpolicy.networking.k8s.io/np the object is not a pod or does not have a pod template',
    );
  });

  it('lists what changes would make of the keys of an object, and sends nothing', async () => {
    expect((await run('annotate cm first a=b c=d')).code).to.equal(0);
    expect(await run('annotate cm first e=f c- --list')).to.deep.equal({
      out: 'a=b\ne=f\n',
      err: '',
      code: 0,
    });
    expect((await run('annotate cm first --list')).out).to.equal('a=b\nc=d\n');
    expect(await run('annotate cm first --list -o yaml')).to.deep.equal({
      out: 'a=b\nc=d\n',
      err: 'Warning: --output has no effect with --list: keys are listed as they are\n',
      code: 0,
    });
  });

  it('names kind and group above keys of several objects', async () => {
    expect((await run('label cm first second l=m')).code).to.equal(0);
    expect((await run('label cm first second --list')).out).to.equal(
      'Listing labels for ConfigMap./first:\n l=m\nListing labels for ConfigMap./second:\n l=m\n',
    );
  });

  it('says of an unknown kind to create that a file is missing, too', async () => {
    expect((await run('create foo bar')).err).to.match(
      /^Error: must specify one of -f and -k\n\nerror: unknown command "foo bar"\n/,
    );
  });

  it('deletes nothing when all objects and some of them are named at once', async () => {
    for (const some of ['--field-selector=metadata.name=first', '-l a=b'])
      expect((await run(`delete cm --all ${some}`)).err).to.equal(
        "error: setting 'all' parameter but found a non empty selector. \n",
      );
    expect((await run('get cm first -o name')).out).to.equal('configmap/first\n');
  });

  it('watches one type, or one object', async () => {
    const only = 'watch is only supported on individual resources and resource collections';
    const cases = [
      ['get cm,secret -w', '', 'you may only specify a single resource type'],
      ['get cm first second -w', '', 'you may only watch a single resource or type of resource at a time'],
      ['get -f - -w', pair('a'), `${only} - more than 1 resource was found`],
      ['get -f - -w', list, `${only}, but a list of resources is found`],
    ] as const;
    for (const [line, stdin, text] of cases)
      expect((await run(line, stdin)).err).to.equal(`error: ${text}\n`);
  });

  it('logs at level 5 that the time for a watch is over', async () => {
    const line = 'get cm first -w --request-timeout=300ms';
    expect((await run(`${line} -v=4`)).err).to.equal('');
    const { err, code } = await run(`${line} -v=5`);
    expect(code).to.equal(0);
    expect(err).to.match(/^I.*\] Unable to decode an event from the watch stream: .*Client\.Timeout.*\n$/);
  });

  it('logs the names of queries in the order of the alphabet', async () => {
    const { err } = await run('get cm --chunk-size=1 -v=6');
    expect(err)
      .to.match(/configmaps\?limit=1 200 OK/)
      .and.to.match(/configmaps\?continue=[^&]+&limit=1 200 OK/);
  });

  it('makes things from objects of files that the server does not have', async () => {
    const file = `apiVersion: v1
kind: ReplicationController
metadata: {name: absent}
spec: {selector: {app: absent}}
`;
    expect(await run('expose -f - --port=80', file)).to.deep.equal({
      out: 'service/absent exposed\n',
      err: '',
      code: 0,
    });
    expect((await run('get svc absent -o jsonpath={.spec.selector.app}')).out).to.equal('absent');
    expect(await run('autoscale -f - --max=2', file)).to.deep.equal({
      out: 'horizontalpodautoscaler.autoscaling/absent autoscaled\n',
      err: '',
      code: 0,
    });
  });

  it('sends what --raw names as JSON, whatever it is', async () => {
    const { err } = await run('create --raw /api/v1/namespaces -f -', pair('a'));
    expect(err).to.match(/^Error from server \(BadRequest\): the object provided is unrecognized/);
  });

  it('cordons no node where a selector is empty', async () => {
    const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n';
    expect((await run('create -f -', node)).code).to.equal(0);
    for (const verb of ['cordon', 'uncordon'])
      expect((await run(`${verb} --selector=`)).err).to.match(
        /^error: You must provide one or more resources by argument or filename\.\n/,
      );
    expect((await run('get node node-1 -o jsonpath={.spec.unschedulable}')).out).to.equal('');
    expect((await run('delete node node-1')).code).to.equal(0);
  });

  it('reconciles roles of the stable version', async () => {
    const group = 'rbac.authorization.k8s.io';
    const role = `apiVersion: ${group}/v1beta1\nkind: Role\nmetadata: {name: old}\nrules: []\n`;
    expect(await run('auth reconcile -f -', role)).to.deep.equal({
      out: '',
      err: `error: only ${group}/v1 is supported: not *v1beta1.Role\n`,
      code: 1,
    });
  });

  it('begins the line about warnings that count as errors in its own way', async () => {
    const { err, code } = await run(
      'get clusterroles.v1beta1.rbac.authorization.k8s.io view --warnings-as-errors',
    );
    expect([err.split('\n').at(-2), code]).to.deep.equal(['Error: 1 warning received', 1]);
  });

  it('tells of each object alone where several were tried', async () => {
    const broken = 'apiVersion: v1\nind: Pod\nmetadata: {name: x}\n';
    for (const line of ['describe -f -', 'rollout restart -f -'])
      expect((await run(line, broken)).err).to.match(
        /^unable to decode "STDIN": Object 'Kind' is missing in /,
      );
  });

  it('does not wait for an end when the time for it is over already', async () => {
    const held = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.com/x]}\n';
    expect((await run('create -f -', held)).code).to.equal(0);
    expect((await run('delete cm held --timeout=-1s')).err).to.equal(
      'error: timed out waiting for the condition on configmaps/held\n',
    );
    const { code } = await site.ctl([
      'patch',
      'cm',
      'held',
      '--type=merge',
      '-p',
      '{"metadata":{"finalizers":null}}',
    ]);
    expect(code).to.equal(0);
  });

  it('says of a replacement whose old object stays just that the time is over', async () => {
    const held = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stays, finalizers: [example.com/x]}\n';
    await run('create -f -', held);
    const { out, err } = await run('replace --force --timeout=100ms -f -', held);
    expect([out, err]).to.deep.equal([
      'configmap "stays" deleted\n',
      'error: timed out waiting for the condition\n',
    ]);
    expect((await run('replace --grace-period=5 -f -', held)).err).to.equal(
      'error: --grace-period must have --force specified\n',
    );
    await run('patch cm stays --type=merge -p {"metadata":{"finalizers":null}}');
  });

  it('makes one line of what is wrong with files, where something else is wrong too', async () => {
    const folder = join(site.folder, 'several');
    const file = (name: string, text: string) => writeFile(join(folder, name), `apiVersion: v1\n${text}\n`);
    await mkdir(folder, { recursive: true });
    await file('a.yaml', 'kind: ConfigMap\nmetadata: {name: No_Name}');
    await file('b.yaml', 'kind: Nothing\nmetadata: {name: b}');
    await file('c.yaml', 'kind: ConfigMap\nmetadata: {name: c}\ndta: {}');
    await file('d.yaml', 'kind: ConfigMap\nmetadata: {name: gone}');
    const unknown = `unable to recognize "${folder}/b.yaml": no matches for kind "Nothing" in version "v1"`;
    const unfit = `error validating "${folder}/c.yaml": error validating data: ValidationError(ConfigMap): unknown field "dta" in io.k8s.api.core.v1.ConfigMap; if you choose to ignore these errors, turn validation off with --validate=false`;
    const lines = async (line: string) => (await run(line)).err.trimEnd().split('\n');
    const applied = await lines(`apply -f ${folder}`);
    expect(applied[0]).to.equal(`[${unknown}, ${unfit}]`);
    expect(applied[1]).to.match(/^Error from server \(Invalid\): error when creating ".*a.yaml": /);
    const created = await lines(`create -f ${folder}`);
    expect(created.map((each) => each.slice(0, 20))).to.deep.equal([
      'Error from server (I',
      'Error from server (A',
      `[${unknown}`.slice(0, 20),
    ]);
    // Alone they have a line each.
    expect(await lines(`apply -f ${folder}/b.yaml -f ${folder}/c.yaml`)).to.deep.equal([unknown, unfit]);
    // Objects that are read as they come are told of as they come.
    await run(`delete -f ${folder}/d.yaml`);
    expect(await lines(`get -f ${folder}`)).to.deep.equal([
      'Error from server (NotFound): configmaps "No_Name" not found',
      unknown,
      'Error from server (NotFound): configmaps "c" not found',
      'Error from server (NotFound): configmaps "gone" not found',
    ]);
  });

  it('reads ports and numbers as that client does, and leaves ranges to the server', async () => {
    for (const [line, told] of [
      ['create service clusterip s --tcp=bad', 'error: strconv.ParseUint: parsing "bad": invalid syntax'],
      [
        'create service nodeport s --tcp=99999',
        'error: strconv.ParseUint: parsing "99999": value out of range',
      ],
      ['create service clusterip s --tcp=80:-1', 'error: must be between 1 and 65535, inclusive'],
      [
        'create service clusterip s --tcp=80:',
        'error: must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-),must contain at least one letter or number (a-z, 0-9)',
      ],
      [
        'create deployment d --image=x --replicas=-2',
        'error: failed to create deployment: Deployment.apps "d" is invalid: spec.replicas: Invalid value: -2: must be greater than or equal to 0',
      ],
      [
        'create service nodeport s --tcp=80 --node-port=-1',
        'error: failed to create NodePort service: Service "s" is invalid: spec.ports[0].nodePort: Invalid value: -1: provided port is not in the valid range. The range of valid ports is 30000-32767',
      ],
      ['proxy --port=99999', 'error: listen tcp: address 99999: invalid port'],
      [
        'get ns --as-group=g',
        'error: requesting groups or user-extra for orch-admin without impersonating a user',
      ],
    ] as const)
      expect((await run(line)).err).to.equal(`${told}\n`);
    expect((await run('get ns default --chunk-size=-1 -o name')).out).to.equal('namespace/default\n');
    expect((await run('create service clusterip s --tcp=1:2:3 --dry-run=client -o name')).out).to.equal(
      'service/s\n',
    );
    expect(
      (await run('create deployment d --image=x --port=-1 --dry-run=client -o yaml')).out,
    ).to.not.include('ports');
  });

  it('refuses labels and annotations that are no texts, before anything is sent or shown', async () => {
    const file = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {x: y}}\n';
    for (const line of ['apply -f - --validate=false', 'label -f - a=b --local -o yaml']) {
      const { out, err } = await run(line, file);
      expect([out, err]).to.deep.equal([
        '',
        'error: unable to decode "STDIN": metadata.annotations["x"]: expected a string, got true\n',
      ]);
    }
  });
});
