import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { checkStart, formatProblem } from '../../../../src/nodeagent/options/index.ts';
import { load } from './start.ts';

describe('checkStart', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-start-'));
  });
  after(() => rm(folder, { recursive: true }));

  const files: Record<string, string> = {};
  const cgroups = new Set(['/system']);
  const programs = new Set(['/var/run/legacyrt.sock']);
  const probe = {
    readFile: (path: string) => {
      if (files[path] === undefined) throw new Error(`open ${path}: no such file or directory`);
      return Buffer.from(files[path]);
    },
    exists: (path: string) => programs.has(path),
    hasCgroup: (name: string) => cgroups.has(name),
  };
  const check = async (...argv: string[]) =>
    (await checkStart(load(argv).config, probe, orchDialect)).map(({ text }) => text);

  it('finds nothing wrong with the defaults', async () => {
    expect(await check()).to.deep.equal([]);
  });

  describe('looks for a runtime where nobody has said where it is', () => {
    const containerd = '/run/containerd/containerd.sock';
    const flags = `--container-runtime=remote --container-runtime-endpoint=unix://${containerd}`;
    const cases: readonly (readonly [
      what: string,
      there: readonly string[],
      argv: readonly string[],
      problem: string | undefined,
    ])[] = [
      ['an engine', ['/var/run/legacyrt.sock'], [], undefined],
      [
        'nothing',
        [],
        [],
        `no container runtime: /var/run/legacyrt.sock does not exist (--legacyrt-endpoint: install one (apt-get install containerd runc containernetworking-plugins) and give ${flags})`,
      ],
      [
        'containerd',
        [containerd],
        [],
        `no container runtime: /var/run/legacyrt.sock does not exist (--legacyrt-endpoint: for containerd, which is there, give ${flags})`,
      ],
      [
        'containerd, half told',
        [containerd],
        ['--container-runtime=remote'],
        `no container runtime: /var/run/legacyrt-shim.sock does not exist (--container-runtime-endpoint: for containerd, which is there, give ${flags})`,
      ],
      ['one that starts later', [], flags.split(' '), undefined],
      ['an engine that starts later', [], ['--legacyrt-endpoint=unix:///later.sock'], undefined],
    ];
    for (const [what, there, argv, problem] of cases) {
      it(`and finds ${what}`, async () => {
        const found = await checkStart(
          load(argv).config,
          { ...probe, exists: (path) => there.includes(path) },
          orchDialect,
        );
        expect(found.map(formatProblem)).to.deep.equal(problem === undefined ? [] : [problem]);
      });
    }
  });

  it('misses files of the servers', async () => {
    expect(
      await check('--client-ca-file=/ca', '--tls-cert-file=/c', '--tls-private-key-file=/k'),
    ).to.deep.equal([
      'unable to load client CA file /ca: open /ca: no such file or directory',
      'open /c: no such file or directory',
      'open /k: no such file or directory',
    ]);
  });

  it('reads the client configuration, or that of the bootstrap where there is none yet', async () => {
    const good = join(folder, 'good');
    await writeFile(
      good,
      'apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]\n',
    );
    const none = join(folder, 'none');
    expect(await check(`--orchconfig=${good}`)).to.deep.equal([]);
    expect(await check(`--orchconfig=${none}`, `--bootstrap-orchconfig=${good}`)).to.deep.equal([]);
    expect(await check(`--orchconfig=${none}`)).to.deep.equal([
      `failed to run NodeAgent: invalid orchconfig: stat ${none}: no such file or directory`,
    ]);
  });

  it('looks for the control groups whose limits are to be enforced', async () => {
    const levels = '--enforce-node-allocatable=pods,system-reserved,orch-reserved';
    expect(
      await check(levels, '--system-reserved-cgroup=/system', '--orch-reserved-cgroup=/orch/a'),
    ).to.deep.equal([
      'Failed to start ContainerManager Failed to enforce Orch Reserved Cgroup Limits on "/orch/a": ["orch" "a"] cgroup does not exist',
    ]);
  });

  it('reads the credential providers when their feature is on', async () => {
    const flags = ['--image-credential-provider-config=/p', '--image-credential-provider-bin-dir=/bin'];
    const isOn = '--feature-gates=NodeAgentCredentialProviders=true';
    files['/p'] =
      'kind: CredentialProviderConfig\napiVersion: nodeagent.config.orch.io/v1alpha1\nproviders: [{name: ok, matchImages: ["*.test"], defaultCacheDuration: 1h, apiVersion: credentialprovider.nodeagent.orch.io/v1alpha1}]\n';
    const refusal = (rest: string) => [
      `Failed to register CRI auth plugins: plugin binary ${rest} did not exist`,
    ];
    expect(await check(...flags, isOn)).to.deep.equal(refusal('directory /bin'));
    programs.add('/bin');
    expect(await check(...flags, isOn)).to.deep.equal(refusal('executable /bin/ok'));
    programs.add('/bin/ok');
    expect(await check(...flags, isOn)).to.deep.equal([]);
    files['/p'] = 'kind: Other\n';
    expect(await check(...flags)).to.deep.equal([]);
    expect(await check(...flags, isOn)).to.deep.equal([
      'Failed to register CRI auth plugins: error decoding config file "/p": expected kind CredentialProviderConfig of nodeagent.config.orch.io/v1alpha1',
    ]);
  });
});
