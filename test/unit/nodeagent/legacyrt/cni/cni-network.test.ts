import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { createCniNetwork } from '../../../../../src/nodeagent/legacyrt/cni/cni-network.ts';
import { parseNetwork, readNetwork } from '../../../../../src/nodeagent/legacyrt/cni/read-networks.ts';
import { resultAddresses } from '../../../../../src/nodeagent/legacyrt/cni/results.ts';
import type { ContainerDetails } from '../../../../../src/nodeagent/legacyrt/engine-types.ts';
import type { PodNetwork } from '../../../../../src/nodeagent/legacyrt/pod-network.ts';
import type { PodSandboxConfig } from '../../../../../src/nodeagent/runtime/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../../support/temporary-directory.ts';

/** Notes how it was called; fails when there is a file that says so. */
const plugin = `#!/bin/sh
name=\${0##*/}
folder=\${0%/*}
input=$(cat)
echo "$CNI_COMMAND $name $CNI_CONTAINERID $CNI_NETNS $CNI_IFNAME $CNI_ARGS $input" >> "$folder/calls"
if [ -e "$folder/fail-$name-$CNI_COMMAND" ]; then
  echo '{"code":11,"msg":"no more","details":"try later"}'
  exit 1
fi
[ "$CNI_COMMAND" = ADD ] && echo '{"cniVersion":"0.4.0","ips":[{"version":"4","address":"10.9.0.7/16"}],"by":"'$name'"}'
exit 0
`;

interface Call {
  readonly command: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
}

const config: PodSandboxConfig = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u', attempt: 0 },
  portMappings: [
    { protocol: 'TCP', containerPort: 80, hostPort: 8080 },
    { protocol: 'TCP', containerPort: 81, hostPort: 0 },
  ],
  annotations: { 'orch.io/ingress-bandwidth': '10M' },
};

describe('createCniNetwork', () => {
  let folder: TemporaryDirectory;
  let network: PodNetwork;
  const at = (...names: readonly string[]): string => join(folder.path, ...names);

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    for (const name of ['conf', 'bin', 'cache']) await mkdir(at(name));
    for (const name of ['first', 'second']) {
      await writeFile(at('bin', name), plugin);
      await chmod(at('bin', name), 0o755);
    }
    const plugins = [
      { type: 'first', own: 1 },
      { type: 'second', capabilities: { portMappings: true, bandwidth: true, other: true } },
    ];
    const conflist = JSON.stringify({ name: 'net', cniVersion: '0.4.0', plugins });
    await writeFile(at('conf', '10-net.conflist'), conflist);
    network = createCniNetwork({
      confDir: at('conf'),
      binDirs: [at('none'), at('bin')],
      cacheDir: at('cache'),
      dialect: orchDialect,
    });
  });
  afterEach(() => folder.remove());

  const calls = async (): Promise<readonly Call[]> =>
    (await readFile(at('bin', 'calls'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => {
        const [, head = '', input = ''] = /^(.*?) (\{.*)$/.exec(line) ?? [];
        const [command = '', name = '', ...args] = head.split(' ');
        return { command, name, args, input: JSON.parse(input) };
      });
  const pod = { sandboxId: 'box', pid: 42, config };
  const addresses = () => network.addresses({ Id: 'box' } as ContainerDetails);
  const cached = () => readdir(at('cache', 'results'));

  it('runs the plugins in order, each with the result of the one before, and backwards at the end', async () => {
    await network.connect(pod);
    expect(await addresses()).to.deep.equal(['10.9.0.7']);
    expect(await cached()).to.deep.equal(['net-box-eth0']);
    await network.disconnect({ sandboxId: 'box', pid: 0 });
    await network.disconnect({ sandboxId: 'box', pid: 0 });
    const [add, then, del, last] = await calls();
    const args = 'IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web;K8S_POD_INFRA_CONTAINER_ID=box';
    expect(add).to.deep.equal({
      command: 'ADD',
      name: 'first',
      args: ['box', '/proc/42/ns/net', 'eth0', args],
      input: { type: 'first', own: 1, name: 'net', cniVersion: '0.4.0' },
    });
    expect(then?.input.prevResult).to.have.property('by', 'first');
    expect(then?.input.runtimeConfig).to.deep.equal({
      portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP: '' }],
      bandwidth: { ingressRate: 10_000_000, ingressBurst: 2_147_483_647 },
    });
    expect(then?.input).to.not.have.property('capabilities');
    expect([del, last].map((call) => [call?.command, call?.name])).to.deep.equal([
      ['DEL', 'second'],
      ['DEL', 'first'],
    ]);
    expect(del?.args[1]).to.equal('');
    expect(del?.input.prevResult).to.have.property('by', 'second');
    expect(await calls()).to.have.length(4);
    expect(await addresses()).to.deep.equal([]);
    expect(await cached()).to.deep.equal([]);
  });

  it('takes down what was set up by a configuration that is gone', async () => {
    await network.connect(pod);
    await writeFile(at('conf', '10-net.conflist'), '{}');
    expect(await network.problem()).to.equal('cni config uninitialized');
    await network.disconnect({ sandboxId: 'box', pid: 42 });
    expect((await calls()).map(({ command }) => command)).to.deep.equal(['ADD', 'ADD', 'DEL', 'DEL']);
  });

  it('takes back what it began when a plugin fails, in its words', async () => {
    await writeFile(at('bin', 'fail-second-ADD'), '');
    const failure = await network.connect(pod).catch((error: unknown) => error);
    expect(failure).to.include({
      code: 'failed',
      detail: 'networkPlugin cni failed to set up pod "web_shop" network: no more; try later',
    });
    expect((await calls()).map(({ command }) => command)).to.deep.equal(['ADD', 'ADD', 'DEL', 'DEL']);
    expect(await cached()).to.deep.equal([]);
  });

  it('keeps what it could not take down for another time', async () => {
    await network.connect(pod);
    await writeFile(at('bin', 'fail-first-DEL'), '');
    const failure = await network.disconnect({ sandboxId: 'box', pid: 0 }).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'failed');
    expect(await cached()).to.deep.equal(['net-box-eth0']);
  });

  it('gives plugins the range of addresses of the node, and refuses nonsense of pods', async () => {
    const plugins = [{ type: 'first', capabilities: { ipRanges: true } }];
    await writeFile(at('conf', '05-other.conflist'), JSON.stringify({ name: 'other', plugins }));
    network.setPodCidr('10.1.0.0/24,fd00::/64');
    await network.connect(pod);
    const ipRanges = [[{ subnet: '10.1.0.0/24' }], [{ subnet: 'fd00::/64' }]];
    expect((await calls())[0]?.input.runtimeConfig).to.deep.equal({ ipRanges });
    const annotations = { 'orch.io/egress-bandwidth': 'much' };
    const failure = await network.connect({ ...pod, config: { ...config, annotations } }).catch(String);
    expect(failure).to.contain('bandwidth');
  });
});

describe('readNetwork', () => {
  it('takes the first usable file by name', async () => {
    await using folder = await makeTemporaryDirectory();
    const write = (name: string, text: string) => writeFile(join(folder.path, name), text);
    expect(await readNetwork(folder.path)).to.deep.equal({ problem: `no networks found in ${folder.path}` });
    await write('00-broken.conf', '{');
    await write('01-other.txt', '{"name":"x","type":"y"}');
    expect(await readNetwork(folder.path))
      .to.have.property('problem')
      .that.contains('00-broken.conf: ');
    await write('20-late.conf', '{"name":"late","type":"p"}');
    await write('10-early.conf', '{"name":"early","type":"p","cniVersion":"0.3.1"}');
    expect(await readNetwork(folder.path)).to.deep.include({ name: 'early', cniVersion: '0.3.1' });
  });

  const bad = [
    '[]',
    '1',
    '{"name":"a"}',
    '{"name":"a","type":"../x"}',
    '{"name":"../a","type":"x"}',
    '{"name":"a","plugins":[]}',
  ];
  for (const text of bad) it(`refuses ${text}`, () => expect(() => parseNetwork(text)).to.throw());
});

describe('resultAddresses', () => {
  const cases: readonly (readonly [result: unknown, addresses: readonly string[]])[] = [
    [
      { ips: [{ address: '10.0.0.2/24' }, { address: '10.0.0.3/24' }, { address: 'fd00::2/64' }] },
      ['10.0.0.2', 'fd00::2'],
    ],
    [{ ips: [{ address: 'fd00::2/64' }, { address: '10.0.0.2/24' }] }, ['fd00::2', '10.0.0.2']],
    [{ ip4: { ip: '10.0.0.2/24' }, ip6: { ip: 'fd00::2/64' } }, ['10.0.0.2', 'fd00::2']],
    [{ ips: 'none' }, []],
    [undefined, []],
  ];
  for (const [result, addresses] of cases) {
    it(`of ${JSON.stringify(result)}`, () => expect(resultAddresses(result)).to.deep.equal(addresses));
  }
});
