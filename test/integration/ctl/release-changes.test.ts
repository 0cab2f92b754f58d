import { expect } from 'chai';
import { isJsonObject } from '../../../src/base/index.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n';
const secret =
  'apiVersion: v1\nkind: Secret\nmetadata: {name: s, annotations: {a: b}}\nstringData: {a: b}\ntype: Opaque\n';
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers: [{name: c, image: i, volumeDevices: [{name: v, devicePath: /dev/v}]}]
      volumes: [{name: v, persistentVolumeClaim: {claimName: v}}]
`;
const binary = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\nbinaryData: {x: AAEC}\n';
const event = (uid: string, name: string, times: string) => `---
apiVersion: v1
kind: Event
metadata: {name: ${name}, namespace: default}
involvedObject: {kind: ConfigMap, namespace: default, name: b, uid: ${uid}}
reason: ${name}
type: Normal
message: m
source: {component: c}
${times}
`;
const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: v}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;
const priority = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: p}\nvalue: 5\n';

/** What the client of release 1.20.2 prints and writes of the same, against the same server. */
describe('ctl in the kubernetes dialect, of changes and descriptions', () => {
  let site: CtlServer;
  before(async () => {
    site = await startCtlServer(['--controllers=none', '--dialect=kubernetes']);
  });
  after(() => site.stop());

  const run = (line: string, stdin?: string) =>
    site.ctl(line.split(' '), {
      env: { ORCH_DIALECT: 'kubernetes' },
      ...(stdin === undefined ? {} : { stdin }),
    });
  const managersOf = async (object: string): Promise<readonly unknown[]> => {
    const { metadata } = JSON.parse((await run(`get ${object} -o json`)).out);
    return metadata.managedFields.map((entry: unknown) => (isJsonObject(entry) ? entry.manager : entry));
  };

  it('leaves it to the server who turned a node away, and who recorded a number of pods', async () => {
    await run('create -f -', node);
    expect((await run('cordon n1 -v=6')).err).to.match(/ PATCH \S+\/api\/v1\/nodes\/n1 200 /);
    await run('create -f -', deployment);
    expect((await run('scale deployment/d --record --replicas=0x2')).code).to.equal(0);
    expect((await run('get deployment d -o jsonpath={.metadata.annotations}')).out).to.equal(
      '{"kubernetes.io/change-cause":"kubectl scale deployment/d --record=true --replicas=0x2"}',
    );
    expect(await managersOf('deployment/d')).to.have.members(['kubectl-create', 'kubectl']);
  });

  it('calls all that is patched configured, and all that is rehearsed', async () => {
    await run('apply -f -', secret);
    expect((await run('apply -f -', secret)).out).to.equal('secret/s configured\n');
    const changed = secret.replace('a: b}', 'a: c}');
    expect((await run('apply -f - --dry-run=client', changed)).out).to.equal(
      'secret/s configured (dry run)\n',
    );
    const { out } = await run('apply -f - --dry-run=client -o jsonpath={.metadata.annotations.a}', changed);
    expect(out).to.equal('b');
  });

  it('saves no configuration of services that it makes', async () => {
    const made = async (what: string) =>
      (await run(`create ${what} x --save-config --dry-run=client -o yaml`)).out;
    expect(await made('service clusterip --tcp=80'))
      .to.include('kind: Service')
      .and.not.include('annotations');
    expect(await made('quota')).to.include('last-applied-configuration');
  });

  it('tells of arguments beside files once files are there', async () => {
    const firstLine = async (line: string) => (await run(line, secret)).err.split('\n')[0];
    expect(await firstLine('get secret/s -f -')).to.equal(
      'error: resource/name arguments cannot be provided when a path is specified',
    );
    expect(await firstLine('get secret s -f -')).to.match(/^error: when paths, URLs, or stdin is provided/);
    expect(await firstLine('get secret/s -f nowhere')).to.equal('error: the path "nowhere" does not exist');
    expect(await firstLine('get secret/s -f - -k .')).to.equal(
      'error: only one of -f or -k can be specified',
    );
    expect(await firstLine('get secret/s -R -k .')).to.equal(
      "error: the -k flag can't be used with -f or -R",
    );
    expect(await firstLine('apply -f - x y')).to.equal('error: Unexpected args: [x y]');
    expect(await firstLine('apply set-last-applied')).to.match(
      /^error: You must provide one or more resources/,
    );
  });

  it('refuses operators that selectors of objects do not have, before anything is asked for', async () => {
    const budget = 'create poddisruptionbudget b --min-available=1 --dry-run=client --selector';
    const notEqual = 'error: "!=" is not a valid label selector operator\n';
    expect((await run(`${budget} a!=b`)).err).to.equal(notEqual);
    expect((await run(`${budget} a>1`)).err).to.equal('error: "gt" isn\'t supported in label selectors\n');
    expect((await run('set selector service/none a!=b')).err).to.equal(notEqual);
  });

  it('describes what release 1.20 knows', async () => {
    const count = 'count: 3, firstTimestamp: "2020-01-01T00:00:00Z", lastTimestamp: "2021-01-01T00:00:00Z"';
    const modern =
      'reportingComponent: r, reportingInstance: i, action: x, eventTime: "2020-01-01T00:00:00.000000Z"';
    const lines = (fields: string) => fields.split(', ').join('\n');
    await run('create -f -', binary);
    const uid = (await run('get configmap b -o jsonpath={.metadata.uid}')).out;
    const events =
      event(uid, 'old', lines(count)) +
      event(
        uid,
        'new',
        `${lines(modern)}\nseries: {count: 7, lastObservedTime: "2021-01-01T00:00:00.000000Z"}`,
      );
    expect((await run('create -f -', events)).err).to.equal('');
    const { out } = await run('describe configmap b');
    expect(out).to.match(/Data\n====\nEvents:\n/);
    expect(out).to.match(
      /Normal +new +\d+y\d*d? +c +m\n +Normal +old +\d+y\d*d? \(x3 over \d+y\d*d?\) +c +m\n$/,
    );
    expect((await run('describe deployment d')).out).to.match(
      /Mounts: +<none>\n +Devices: +<none>\n +\/dev\/v from v\n/,
    );
    await run('create -f -', claim);
    expect((await run('describe pvc v --show-events=false')).out).to.match(/\nEvents: +<none>\n$/);
    await run('apply -f -', priority);
    expect((await run('describe priorityclass p')).out).to.match(
      /\nAnnotations: +kubectl\.kubernetes\.io\/last-applied-configuration=\{/,
    );
  });
});
