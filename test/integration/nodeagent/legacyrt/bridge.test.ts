import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { LegacyRuntimeOptions } from '../../../../src/nodeagent/legacyrt/index.ts';
import type { ContainerRuntime } from '../../../../src/nodeagent/runtime/index.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { askEngine } from '../../../support/engine-api.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeNodeNetwork, type NodeNetwork } from '../../../support/node-network.ts';
import { requireEngine } from '../../../support/require-engine.ts';
import { EnginePod, openEngine } from './engine-pod.ts';

const podCidr = '10.244.3.0/24';
const serve = 'echo hello > /www/index.html; exec httpd -f -h /www';
/** Address of a service, which is no machine's. */
const serviceIp = '172.31.0.10';

type Bridge = LegacyRuntimeOptions['bridge'];
const usual: Bridge = { mtuBytes: 0, hairpinMode: 'promiscuous-bridge', nonMasqueradeCidr: '10.0.0.0/8' };

describe("a network of pods on the agent's own bridge", () => {
  let engine: TestEngine;
  let node: NodeNetwork;
  const opened = new AsyncDisposableStack();

  requireEngine();
  before(async () => {
    engine = opened.use(await startEngine());
    node = opened.use(await makeNodeNetwork(engine.folder));
    await mkdir(at('settings', 'net', 'bridge'), { recursive: true });
  });
  after(() => opened.disposeAsync());

  const at = (...names: readonly string[]): string => join(engine.folder, ...names);
  const open = (more: Partial<Bridge> = {}): ContainerRuntime =>
    openEngine(engine, {
      networkPlugin: 'orchnet',
      bridge: { ...usual, ...more },
      machine: { run: node.run, settingsRoot: at('settings') },
      cniBinDir: node.binDir,
    });
  /** As an agent starts that knows the range. */
  async function start(more: Partial<Bridge> = {}, cidr = podCidr): Promise<ContainerRuntime> {
    const driver = open(more);
    await driver.runtime.setPodCidr(cidr);
    expect(await networkCondition(driver)).to.deep.include({ isTrue: true, message: '' });
    return driver;
  }
  const networkCondition = async ({ runtime }: ContainerRuntime) =>
    (await runtime.status()).conditions.find(({ type }) => type === 'NetworkReady');
  const outputOf = async (program: string, ...args: readonly string[]): Promise<string> => {
    const { code, output } = await node.run(program, args);
    expect(code, output).to.equal(0);
    return output;
  };
  const bridge = () => outputOf('ip', '-details', 'address', 'show', 'dev', 'cbr0');
  const masqueraded = async (): Promise<readonly string[]> =>
    (await outputOf('iptables', '-t', 'nat', '-S', 'POSTROUTING'))
      .split('\n')
      .filter((line) => line.includes('orchnet: SNAT'))
      .map((line) => / ! -d (\S+) /.exec(line)?.[1] ?? line);
  /** What the kernel says of the bridge's ports. */
  const hairpins = () =>
    outputOf(
      ...(['unshare', '--mount', 'sh', '-c'] as const),
      'mount -t sysfs none /sys && cat /sys/class/net/cbr0/brif/*/hairpin_mode',
    );
  const ask = (url: string) => node.run('busybox', ['wget', '-q', '-O', '-', url]);
  const ruleCount = async (): Promise<number> =>
    (await outputOf('ebtables', '-t', 'filter', '-L')).split('-o veth+').length - 1;

  it('is not ready before the range of pods is known, and keeps the first one', async () => {
    await using driver = open();
    const why = 'orchnet does not have netConfig. This is most likely due to lack of PodCIDR';
    expect(await networkCondition(driver)).to.deep.equal({
      type: 'NetworkReady',
      isTrue: false,
      reason: 'NetworkPluginNotReady',
      message: `legacyrt: network plugin is not ready: ${why}`,
    });
    const failure = await EnginePod.run(driver.runtime, engine).catch(String);
    expect(failure).to.match(/networkPlugin orchnet failed to set up pod "pod-\d+_test" network: /);
    expect(failure).to.contain(`Orchnet cannot SetUpPod: ${why}`);
    await driver.runtime.setPodCidr(podCidr);
    await driver.runtime.setPodCidr('10.99.0.0/24');
    expect(await networkCondition(driver)).to.deep.include({ isTrue: true });
    const pod = await EnginePod.run(driver.runtime, engine);
    expect((await driver.runtime.podSandboxStatus(pod.id))?.ips).to.deep.equal(['10.244.3.2']);
    await driver.runtime.removePodSandbox(pod.id);
    expect(await readFile(at('settings', 'net', 'bridge', 'bridge-nf-call-iptables'), 'utf8')).to.equal('1');
  });

  it('follows the options, also where another agent has set it up with others', async () => {
    const pods: EnginePod[] = [];
    const mtuOf = async ({ runtime }: ContainerRuntime, pod: EnginePod): Promise<string> => {
      const containerId = await pod.start(runtime, 'web', serve);
      const command = ['cat', '/sys/class/net/eth0/mtu'];
      return Buffer.from((await runtime.execSync({ containerId, command })).stdout)
        .toString()
        .trim();
    };
    await using first = await start();
    const portMappings = [{ protocol: 'TCP', containerPort: 80, hostPort: 8080 } as const];
    const settled = await Promise.all([
      EnginePod.run(first.runtime, engine, { portMappings }),
      EnginePod.run(first.runtime, engine),
    ]);
    pods.push(...settled);
    expect(await mtuOf(first, settled[0])).to.equal('1460');
    expect(await bridge())
      .to.contain('inet 10.244.3.1/24')
      .and.contain('mtu 1460')
      .and.contain('PROMISC');
    expect(await ruleCount()).to.equal(2);
    expect(await masqueraded()).to.deep.equal(['10.0.0.0/8']);
    expect(await hairpins()).to.equal('0\n0');
    // The node reaches the pod, by its port as well.
    const [ip = ''] = (await first.runtime.podSandboxStatus(settled[0].id))?.ips ?? [];
    for (const url of [`http://${ip}/`, 'http://127.0.0.1:8080/']) {
      await eventually(async () => ((await ask(url)).output === 'hello' ? true : undefined));
    }

    const wanted = {
      mtuBytes: 1400,
      hairpinMode: 'hairpin-veth',
      nonMasqueradeCidr: '192.168.5.0/16',
    } as const;
    await using second = await start(wanted);
    expect(await bridge())
      .to.contain('mtu 1400')
      .and.not.contain('PROMISC');
    expect(await ruleCount()).to.equal(0);
    expect(await masqueraded()).to.deep.equal(['192.168.0.0/16']);
    expect(await hairpins()).to.equal('1\n1');
    const late = await EnginePod.run(second.runtime, engine);
    pods.push(late);
    expect(await mtuOf(second, late)).to.equal('1400');
    expect(await hairpins()).to.equal('1\n1\n1');
    expect(await masqueraded()).to.deep.equal(['192.168.0.0/16']);

    await using third = await start({ hairpinMode: 'none', nonMasqueradeCidr: '0.0.0.0/0' });
    expect(await masqueraded()).to.deep.equal([]);
    expect(await hairpins()).to.equal('0\n0\n0');
    for (const { id } of pods) await third.runtime.removePodSandbox(id);
  });

  it('lets a pod reach itself by way of a service', async () => {
    await using driver = await start({ hairpinMode: 'hairpin-veth' });
    const { runtime } = driver;
    const pod = await EnginePod.run(runtime, engine);
    const containerId = await pod.start(runtime, 'web', serve);
    const [ip = ''] = (await runtime.podSandboxStatus(pod.id))?.ips ?? [];
    const rules = [
      ['PREROUTING', '-d', serviceIp, '-p', 'tcp', '-j', 'DNAT', '--to-destination', `${ip}:80`],
      ['POSTROUTING', '-s', ip, '-d', ip, '-j', 'MASQUERADE'],
    ];
    for (const rule of rules) await outputOf('iptables', '-t', 'nat', '-A', ...rule);
    await eventually(async () => {
      const command = ['wget', '-q', '-O', '-', `http://${serviceIp}/`];
      const result = await runtime.execSync({ containerId, command, timeoutMs: 5000 }).catch(() => undefined);
      return result && Buffer.from(result.stdout).toString() === 'hello\n' ? true : undefined;
    });
    for (const rule of rules) await outputOf('iptables', '-t', 'nat', '-D', ...rule);
    await runtime.removePodSandbox(pod.id);
  });

  it('keeps nothing of pods that are gone, and takes another range', async () => {
    const portMappings = [{ protocol: 'TCP', containerPort: 80, hostPort: 8081 } as const];
    await using first = await start();
    const gone = await EnginePod.run(first.runtime, engine, { portMappings });
    const kept = await EnginePod.run(first.runtime, engine);
    const [keptIp = ''] = (await first.runtime.podSandboxStatus(kept.id))?.ips ?? [];
    const socket = engine.endpoint.replace('unix://', '');
    await askEngine({ socket, method: 'DELETE', path: `/containers/${gone.id}?force=1` });
    const addresses = async () =>
      (await readdir(at('networks', 'orchnet'))).filter((name) => /^10\./.test(name));
    const results = () => readdir(join(engine.cniCacheDir, 'results'));
    const ports = async () => (await outputOf('iptables', '-t', 'nat', '-S')).includes('--dport 8081');
    expect([await addresses(), await results()]).to.have.nested.property('1.length', 2);
    expect(await ports()).to.equal(true);

    await using second = await start({}, '10.244.7.0/24');
    expect(await addresses()).to.deep.equal([keptIp]);
    expect(await results()).to.deep.equal([`orchnet-${kept.id}-eth0`]);
    expect(await ports()).to.equal(false);
    expect(await bridge()).to.not.contain('inet 10.244.3.1/24');
    const pod = await EnginePod.run(second.runtime, engine);
    expect((await second.runtime.podSandboxStatus(pod.id))?.ips).to.deep.equal(['10.244.7.2']);
    expect(await bridge()).to.contain('inet 10.244.7.1/24');
    for (const { id } of [pod, kept]) await second.runtime.removePodSandbox(id);
    expect([await addresses(), await results()]).to.deep.equal([[], []]);
  });

  it('says which plugins it misses', async () => {
    await using driver = openEngine(engine, {
      networkPlugin: 'orchnet',
      machine: { run: node.run, settingsRoot: at('settings') },
      cniBinDir: '/no/such,/folder',
    });
    await driver.runtime.setPodCidr(podCidr);
    expect((await networkCondition(driver))?.message).to.equal(
      'legacyrt: network plugin is not ready: could not locate orchnet required CNI plugins [bridge host-local loopback] at ["/no/such" "/folder"]',
    );
  });
});
