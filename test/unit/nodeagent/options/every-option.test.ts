import { expect } from 'chai';
import { type AgentOption, flagOptions, formatProblem } from '../../../../src/nodeagent/options/index.ts';
import { load, start } from './start.ts';

interface Example {
  /** Text that is taken, and the value that it becomes. */
  readonly good?: string;
  readonly value?: unknown;
  /** Text that is refused; null: any text is good, only none at all is refused. */
  readonly bad?: string | null;
  /** Further flags that a good value needs. */
  readonly beside?: readonly string[];
}

const files = { bad: null } as const;

/** What cannot be made from the type of the option. */
const examples: Readonly<Record<string, Example>> = {
  address: { good: '::1', value: '::1', bad: '1.2.3' },
  'allowed-unsafe-sysctls': {
    good: 'net.core.*,kernel.sem',
    value: ['net.core.*', 'kernel.sem'],
    bad: 'foo bar',
  },
  'authorization-mode': { good: 'Webhook', value: 'Webhook', beside: ['--orchconfig=/x'] },
  'authentication-token-webhook': { beside: ['--orchconfig=/x'] },
  'bootstrap-orchconfig': files,
  'chaos-chance': { good: '0.5', value: 0.5, bad: '2' },
  'application-metrics-count-limit': { good: '7', value: 7, bad: 'x' },
  'cgroup-driver': { good: 'systemd', value: 'systemd', bad: null },
  'cgroups-per-qos': { beside: ['--enforce-node-allocatable='] },
  'cluster-dns': { good: '10.0.0.10,fd00::a', value: ['10.0.0.10', 'fd00::a'], bad: null },
  'container-log-max-files': { good: '2', value: 2, bad: '1' },
  'container-log-max-size': { good: '20Mi', value: '20Mi', bad: '-1Mi' },
  'container-runtime-endpoint': { good: 'unix:///x', value: 'unix:///x', bad: 'tcp://x' },
  'cpu-cfs-quota-period': {
    good: '50ms',
    value: 50,
    bad: '50',
    beside: ['--feature-gates=CustomCPUCFSQuotaPeriod=true'],
  },
  'cpu-manager-policy': { good: 'static', value: 'static', beside: ['--reserved-cpus=0'] },
  'cloud-provider': { good: 'external', value: 'external', bad: 'nope' },
  config: files,
  'enforce-node-allocatable': {
    good: 'pods,system-reserved',
    value: ['pods', 'system-reserved'],
    bad: 'none,pods',
    beside: ['--system-reserved-cgroup=/s'],
  },
  'eviction-hard': { good: 'memory.available<5%', value: { 'memory.available': '5%' }, bad: 'memory<5%' },
  'eviction-minimum-reclaim': {
    good: 'nodefs.available=1Gi',
    value: { 'nodefs.available': '1Gi' },
    bad: 'nodefs.available=-1',
  },
  'eviction-soft': {
    good: 'memory.available<1Gi',
    value: { 'memory.available': '1Gi' },
    bad: 'memory.available<2Gi,pid.available<10',
    beside: ['--eviction-soft-grace-period=memory.available=1m'],
  },
  'eviction-soft-grace-period': {
    good: 'memory.available=1m',
    value: { 'memory.available': '1m' },
    bad: 'memory.available=-1m',
  },
  'exit-on-lock-contention': { beside: ['--lock-file=/l'] },
  'experimental-bootstrap-orchconfig': files,
  'feature-gates': { good: 'CPUManager=false', value: { CPUManager: false }, bad: 'Foo=true' },
  'healthz-bind-address': { good: '0.0.0.0', value: '0.0.0.0', bad: 'localhost' },
  'healthz-port': { good: '0', value: 0, bad: '65536' },
  'hostname-override': { good: 'node-1.test', value: 'node-1.test', bad: 'node_1' },
  'image-gc-high-threshold': { good: '100', value: 100, bad: '101' },
  'image-gc-low-threshold': { good: '0', value: 0, bad: '85' },
  'image-service-endpoint': { good: 'unix:///i.sock', value: 'unix:///i.sock', bad: 'npipe://x' },
  'iptables-drop-bit': { good: '31', value: 31, bad: '32' },
  'iptables-masquerade-bit': { good: '0', value: 0, bad: '-1' },
  'legacyrt-endpoint': { good: 'unix:///e.sock', value: 'unix:///e.sock', bad: 'ftp://x' },
  'log-backtrace-at': { good: 'main.go:12', value: 'main.go:12', bad: 'main:12' },
  'log-file-max-size': { good: '0', value: 0, bad: '-1' },
  'manifest-url': { good: 'http://h/p', value: 'http://h/p', bad: 'ftp://h/p' },
  'manifest-url-header': { good: 'a:1,b:2,a:3', value: { a: ['1', '3'], b: ['2'] }, bad: 'a' },
  'network-plugin-mtu': { good: '1400', value: 1400, bad: '-1' },
  'node-ip': { good: '192.0.2.7', value: ['192.0.2.7'], bad: '192.0.2.7,fd00::2' },
  'node-labels': {
    good: 'a=b,node.orch.io/x=1',
    value: { a: 'b', 'node.orch.io/x': '1' },
    bad: 'orch.io/mine=1',
  },
  'node-status-max-images': { good: '-1', value: -1, bad: '-2' },
  'non-masquerade-cidr': { good: '0.0.0.0/0', value: '0.0.0.0/0', bad: '10.0.0.0' },
  'oom-score-adj': { good: '-1000', value: -1000, bad: '-1001' },
  'orch-reserved': {
    good: 'cpu=1,ephemeral-storage=1Gi',
    value: { cpu: '1', 'ephemeral-storage': '1Gi' },
    bad: 'gpu=1',
  },
  'pod-cidr': { good: 'fd00::/112', value: 'fd00::/112', bad: 'fd00::/111' },
  port: { good: '65535', value: 65535, bad: '0' },
  'qos-reserved': {
    good: 'memory=50%',
    value: { memory: '50%' },
    bad: 'memory=101%',
    beside: ['--feature-gates=QOSReserved=true'],
  },
  'read-only-port': { good: '0', value: 0, bad: '-1' },
  'register-with-taints': {
    good: 'a=b:NoSchedule,c:NoExecute',
    value: [
      { key: 'a', value: 'b', effect: 'NoSchedule' },
      { key: 'c', value: '', effect: 'NoExecute' },
    ],
    bad: 'a=b:Sometimes',
  },
  'network-plugin': { good: 'orchnet', value: 'orchnet', bad: 'no-such' },
  'reserved-cpus': { good: '0,2-3', value: '0,2-3', bad: '3-2' },
  'runtime-request-timeout': { good: '1s', value: 1000, bad: '-1s' },
  stderrthreshold: { good: 'warning', value: 1, bad: 'LOUD' },
  'sync-frequency': { good: '1s', value: 1000, bad: '0s' },
  'system-reserved': {
    good: 'cpu=100m,memory=1Gi',
    value: { cpu: '100m', memory: '1Gi' },
    bad: 'memory=-1Gi',
  },
  'system-cgroups': { good: '/s', value: '/s', bad: '/s', beside: ['--cgroup-root=/'] },
  'tls-cert-file': { good: '/c', value: '/c', bad: '/c', beside: ['--tls-private-key-file=/k'] },
  'tls-private-key-file': { good: '/k', value: '/k', bad: '/k', beside: ['--tls-cert-file=/c'] },
  'tls-cipher-suites': {
    good: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    value: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
    bad: 'TLS_NONE',
  },
  'topology-manager-policy': { good: 'single-numa-node', value: 'single-numa-node', bad: 'numa' },
  v: { good: '4', value: 4, bad: 'x' },
  vmodule: { good: 'a*=2,b=1', value: 'a*=2,b=1', bad: 'a' },
};

/** What any option of a type takes and refuses. */
function exampleOf(option: AgentOption & { readonly flag: string }): Required<Example> {
  const common = { beside: [] as readonly string[] };
  const { type } = option;
  const isOn = option.default === true;
  const byKind: Readonly<Record<string, Omit<Required<Example>, 'beside'>>> = {
    bool: { good: String(!isOn), value: !isOn, bad: 'maybe' },
    int32: { good: '0x21', value: 33, bad: '1e2' },
    int64: { good: '7', value: 7, bad: 'many' },
    duration: { good: '1m30s', value: 90_000, bad: '10' },
  };
  const [allowed] = option.allowed?.slice(-1) ?? [];
  const fallback =
    allowed === undefined
      ? { good: '/some/text', value: '/some/text', bad: null }
      : { good: allowed, value: allowed, bad: 'no-such' };
  return { ...common, ...(byKind[type] ?? fallback), ...examples[option.flag] };
}

describe('every option of the agent', () => {
  const options = flagOptions.filter(({ flag }) => flag !== 'version' && flag !== 'config');

  it('has no example that is left over', () => {
    const flags = new Set(flagOptions.map(({ flag }) => flag));
    expect(Object.keys(examples).filter((flag) => !flags.has(flag))).to.deep.equal([]);
  });

  for (const option of options) {
    const { good, value, bad, beside } = exampleOf(option);
    const key = option.key ?? flagOptions.find(({ flag }) => flag === option.aliasOf)?.key ?? '';

    it(`--${option.flag} takes ${good}`, () => {
      const { config, origins } = load([...beside, `--${option.flag}=${good}`]);
      expect(new Map<string, unknown>(Object.entries(config)).get(key)).to.deep.equal(value);
      expect(origins.get(key)).to.equal('flag');
    });

    it(`--${option.flag} refuses ${bad ?? 'to stand without a value'}`, () => {
      const needed = bad === good ? [] : beside;
      // With an API server, which would be told all of them.
      const { problems } = start([
        '--orchconfig=/config',
        ...needed,
        bad === null ? `--${option.flag}` : `--${option.flag}=${bad}`,
      ]);
      expect(problems.length, 'problems').to.be.greaterThan(0);
      expect(problems.map(formatProblem).join('\n')).to.include(`--${option.flag}`);
    });
  }
});
