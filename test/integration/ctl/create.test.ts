import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const metadata = (name: string, more: object = {}) => ({ creationTimestamp: null, name, ...more });
const podOf = (name: string, more: object = {}, restartPolicy = 'Never') => ({
  template: {
    metadata: { creationTimestamp: null },
    spec: { containers: [{ image: 'i', name, resources: {}, ...more }], restartPolicy },
  },
});
const backend = (name: string, port: number | string) => ({
  service: { name, port: typeof port === 'number' ? { number: port } : { name: port } },
});

/** What the client of release 1.20 makes of the same arguments. */
const objects: readonly (readonly [line: string, object: Record<string, unknown>])[] = [
  ['job j --image=i -- a b', { kind: 'Job', spec: podOf('j', { command: ['a', 'b'] }), status: {} }],
  [
    'cronjob j --image=i --schedule=@daily --restart=Never',
    {
      kind: 'CronJob',
      spec: { jobTemplate: { metadata: metadata('j'), spec: podOf('j') }, schedule: '@daily' },
      status: {},
    },
  ],
  [
    'ingress i --class=c --rule=foo.com/bar*=web:80,tls=s --rule=foo.com/=web:http --default-backend=d:1',
    {
      kind: 'Ingress',
      spec: {
        defaultBackend: backend('d', 1),
        ingressClassName: 'c',
        rules: [
          {
            host: 'foo.com',
            http: {
              paths: [
                { backend: backend('web', 80), path: '/bar', pathType: 'Prefix' },
                { backend: backend('web', 'http'), path: '/', pathType: 'Exact' },
              ],
            },
          },
        ],
        tls: [{ hosts: ['foo.com'], secretName: 's' }],
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'pdb p --selector=app=x,!b --min-available=50%',
    {
      kind: 'PodDisruptionBudget',
      spec: {
        minAvailable: '50%',
        selector: { matchExpressions: [{ key: 'b', operator: 'DoesNotExist' }], matchLabels: { app: 'x' } },
      },
      status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    },
  ],
  [
    'priorityclass p --value=-5 --global-default --preemption-policy=Never',
    { kind: 'PriorityClass', globalDefault: true, preemptionPolicy: 'Never', value: -5 },
  ],
  [
    'quota q --hard=pods=2,limits.memory=1.5Gi --scopes=NotTerminating',
    {
      kind: 'ResourceQuota',
      spec: { hard: { pods: '2', 'limits.memory': '1536Mi' }, scopes: ['NotTerminating'] },
      status: {},
    },
  ],
  [
    'secret docker-registry s --docker-username=u --docker-password=p --docker-email=e --docker-server=h',
    {
      kind: 'Secret',
      data: {
        '.dockerconfigjson':
          'eyJhdXRocyI6eyJoIjp7InVzZXJuYW1lIjoidSIsInBhc3N3b3JkIjoicCIsImVtYWlsIjoiZSIsImF1dGgiOiJkVHB3In19fQ==',
      },
      type: 'orch.io/dockerconfigjson',
    },
  ],
];

const mistakes: readonly (readonly [line: string, message: string])[] = [
  ['job j', 'error: either --image or --from must be specified\n'],
  ['job j --from=cronjob/c -- x', 'error: cannot specify --from and command\n'],
  ['job j --from=cronjob/no', 'Error from server (NotFound): cronjobs.batch "no" not found\n'],
  [
    'job j --from=namespace/default',
    'error: from must be an existing cronjob: namespace/default is a Namespace\n',
  ],
  ['cronjob', 'Error: required flag(s) "image", "schedule" not set\n'],
  [
    'ing i --rule=bad',
    'error: rule bad is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]\n',
  ],
  ['ing i --default-backend=x', 'error: default-backend should be in format servicename:serviceport\n'],
  ['pdb p --min-available=1', 'error: a selector must be specified\n'],
  ['pdb p --selector=a=b', 'error: one of min-available or max-unavailable must be specified\n'],
  ['quota q --hard=pods', 'error: Invalid argument syntax pods, expected <resource>=<value>\n'],
  ['quota q --scopes=a,,b', 'error: invalid resource quota scope ""\n'],
  ['cm', "error: exactly one NAME is required, got 0\nSee 'ctl create configmap -h' for help and examples\n"],
  [
    'secret docker-registry s',
    "error: flag docker-username is required\nSee 'ctl create secret docker-registry -h' for help and examples\n",
  ],
  [
    'cm c --from-literal=a=1 --from-literal=a=2',
    'error: cannot add key "a", another key by that name already exists in Data for ConfigMap "c"\n',
  ],
  [
    'secret generic s --from-literal=a=1 --from-literal=a=2',
    'error: cannot add key a, another key by that name already exists\n',
  ],
  [
    'cm c --from-literal=a:b=1',
    `error: "a:b" is not a valid key name for a ConfigMap: a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')\n`,
  ],
  ['cm c --from-file=a=', 'error: file path for key name a missing\n'],
  ['cm c --from-file==a', 'error: key name for file path a missing\n'],
  [
    'role r --verb=get --resource=pods.v1.',
    'the server doesn\'t have a resource type "pods" in group "v1."\n',
  ],
  ['clusterrole r --verb=get --non-resource-url=x', 'error: nonResourceURL should start with /\n'],
  [
    'clusterrole r --verb=get --non-resource-url=/a/*/b',
    "error: nonResourceURL only supports wildcard matches when '*' is at the end\n",
  ],
  ['svc externalname s --external-name=_bad', 'error: invalid service external name _bad\n'],
  [
    'cm c --from-literal=a=1 -o wide',
    'error: unable to match a printer suitable for the output format "wide", allowed formats are: go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,yaml\n',
  ],
  ['svc clusterip s --tcp=80:99999', 'error: must be between 1 and 65535, inclusive\n'],
];

describe('ctl create by flags', () => {
  let server: CtlServer;
  const create = (line: string, ...flags: string[]) =>
    server.ctl(['create', ...line.split(' ').toSpliced(2, 0, ...flags)]);

  before(async () => {
    server = await startCtlServer(['--controllers=none']);
  });
  after(() => server.stop());

  it('says in the words of the release what could not be created where its names are used', async () => {
    const lines: readonly (readonly [line: string, failure: string | undefined])[] = [
      ['deployment twice --image=a', 'deployment: deployments.apps "twice"'],
      ['job twice --image=a', 'job: jobs.batch "twice"'],
      ['quota twice', 'quota: resourcequotas "twice"'],
      ['service nodeport twice --tcp=80', 'NodePort service: services "twice"'],
      ['sa twice', undefined],
    ];
    for (const [line, failure] of lines) {
      expect((await create(line)).code).to.equal(0);
      expect((await create(line)).err).to.match(/^Error from server \(AlreadyExists\): /);
      const { err } = await create(line, '--dialect=kubernetes', '--validate=false');
      expect(err).to.match(
        failure === undefined
          ? /^Error from server \(AlreadyExists\): /
          : new RegExp(`^error: failed to create ${failure} already exists\n$`),
      );
    }
  });

  it('reads variables from a file, and those that it only names from the environment', async () => {
    const file = join(server.folder, 'variables');
    await writeFile(file, '# some\nA=1\n  HOME_OF_TEST\nNOT_THERE\n');
    const args = ['create', 'cm', 'c', `--from-env-file=${file}`, '--dry-run=client', '-ojson'];
    const { out } = await server.ctl(args, { env: { HOME_OF_TEST: '/here' } });
    await writeFile(join(server.folder, 'wrong'), '9a=1\n');
    for (const kind of [['cm'], ['secret', 'generic']]) {
      const flag = `--from-env-file=${join(server.folder, 'wrong')}`;
      expect((await server.ctl(['create', ...kind, 'c', flag])).err).to.match(
        /^error: "9a" is not a valid key name: a valid environment variable name must consist of /,
      );
    }
    expect(JSON.parse(out).data).to.deep.equal({ A: '1', HOME_OF_TEST: '/here', NOT_THERE: '' });
  });

  it('warns of values of --dry-run that later releases do not know', async () => {
    const warningsOf = async (flag: string) => (await create('sa never', flag, '-oname')).err;
    expect(await warningsOf('--dry-run')).to.equal(
      'Warning: --dry-run is deprecated and can be replaced with --dry-run=client.\n',
    );
    expect(await warningsOf('--dry-run=true')).to.equal(
      'Warning: --dry-run=true is deprecated (boolean value) and can be replaced with --dry-run=client.\n',
    );
    expect(await warningsOf('--dry-run=client')).to.equal('');
  });

  for (const [line, expected] of objects) {
    it(`makes an object of ${line}`, async () => {
      const { code, out, err } = await create(line, '--dry-run=client', '-oyaml');
      expect(code, err).to.equal(0);
      const { apiVersion: _, metadata: found, ...rest } = load(out) as Record<string, unknown>;
      expect(rest).to.deep.equal(expected);
      expect(found).to.have.property('creationTimestamp', null);
      const served = await create(line, '--dry-run=server');
      expect(served.err).to.equal('');
    });
  }

  for (const [line, message] of mistakes) {
    it(`refuses ${line}`, async () => {
      const { code, err } = await server.ctl(['create', ...line.split(' ')]);
      expect({ code, err }).to.deep.equal({ code: 1, err: message });
    });
  }

  it('takes the certificate of a host from the first rule that has one', async () => {
    const rules = ['a.b/x=w:1,tls=s', 'a.b/y=w:1,tls', 'c.d/=w:1,tls=s', '/=w:1,tls', 'e.f/=w:1,cert=t'];
    const { out } = await create(
      'ingress i',
      '--dry-run=client',
      '-o=jsonpath-as-json={.spec.tls}',
      ...rules.map((rule) => `--rule=${rule}`),
    );
    expect(JSON.parse(out)).to.deep.equal([
      [
        { hosts: ['a.b', 'c.d'], secretName: 's' },
        { hosts: ['e.f'], secretName: 't' },
      ],
    ]);
  });

  it('keeps the configuration in the form of its type', async () => {
    const show = ['-o=go-template={{range .metadata.annotations}}{{.}}{{end}}', '--save-config'];
    for (const flags of [['--dry-run=client'], []]) {
      expect((await create('configmap kept --from-literal=a=b', ...flags, ...show)).out).to.equal(
        '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kept","creationTimestamp":null},"data":{"a":"b"}}\n',
      );
    }
  });

  it('runs a cron job out of turn', async () => {
    await create('cronjob c --image=i --schedule=@daily');
    const { out } = await create('job now --from=cronjob/c', '--dry-run=client', '-oyaml');
    const job = load(out) as { metadata: Record<string, unknown>; spec: { template: { spec: object } } };
    expect(job.metadata.annotations).to.deep.equal({ 'cronjob.orch.io/instantiate': 'manual' });
    expect(job.metadata.ownerReferences).to.have.nested.property('[0].name', 'c');
    expect(job.spec.template.spec).to.have.nested.property('containers[0].image', 'i');
    expect((await create('job now --from=cronjob/c')).out).to.equal('job.batch/now created\n');
  });

  // The suffixes are those of the release's client.
  it('adds a hash of the content to names', async () => {
    const hashed = async (line: string) =>
      (await create(line, '--append-hash', '--dry-run=client', '-oname')).out;
    expect(await hashed('configmap c --from-literal=a=b')).to.equal('configmap/c-m4h6ctkgb2\n');
    expect(await hashed('configmap c --from-literal=a=c')).not.to.equal('configmap/c-m4h6ctkgb2\n');
    const { out } = await server.ctl([
      'create',
      'secret',
      'generic',
      's',
      '--from-literal=a=b',
      '--append-hash',
      '--dry-run=client',
      '-oname',
    ]);
    expect(out).to.equal('secret/s-7fd2tm89d8\n');
  });
});
