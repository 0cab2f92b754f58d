import { etcdServers, storageRoot } from './etcd-servers.ts';
import { pairProblems } from './pair-problems.ts';
import type { ServeConfig } from './serve-options.ts';

/** Files that mean nothing without TLS to etcd, and must not seem to. */
const tlsFiles = ({ etcdCafile, etcdCertfile, etcdKeyfile }: ServeConfig) =>
  [
    ['etcd-cafile', etcdCafile],
    ['etcd-certfile', etcdCertfile],
    ['etcd-keyfile', etcdKeyfile],
  ] as const;

/** Problems between the options of storage and of servers that share it, one sentence each. */
export function storageProblems(config: ServeConfig): string[] {
  const servers = etcdServers(config);
  return [
    ...placeProblems(config),
    ...(servers === undefined ? withoutEtcd(config) : tlsProblems(config, servers)),
    ...historyProblems(config, servers !== undefined),
    ...countProblems(config.apiserverCount),
    ...leaderProblems(config),
  ];
}

function placeProblems({ ephemeral, storage, etcdServers: servers }: ServeConfig): string[] {
  const problems: string[] = [];
  if (ephemeral && storage?.startsWith('sqlite:'))
    problems.push('--ephemeral and --storage=sqlite: contradict each other; leave one out');
  if (ephemeral && storage?.startsWith('etcd:'))
    problems.push('--ephemeral and --storage=etcd: contradict each other; leave one out');
  if (ephemeral && servers.length > 0)
    problems.push('--ephemeral and --etcd-servers contradict each other; leave one out');
  if (storage !== undefined && servers.length > 0 && !ephemeral)
    problems.push('--storage and --etcd-servers both say where objects are stored; leave one out');
  return problems;
}

function withoutEtcd(config: ServeConfig): string[] {
  const given = [...tlsFiles(config), ['storage-backend', config.storageBackend] as const];
  const names: string[] = given.flatMap(([name, value]) => (value ? [name] : []));
  if (storageRoot(config) !== '/registry/') names.push('etcd-prefix');
  return names.map((name) => `--${name}: needs --etcd-servers or --storage=etcd:URL`);
}

function tlsProblems(config: ServeConfig, servers: readonly string[]): string[] {
  const problems: string[] = [];
  if (storageRoot(config) === '/') problems.push('--etcd-prefix: needs a name');
  problems.push(
    ...pairProblems([config.etcdCertfile, config.etcdKeyfile], ['etcd-certfile', 'etcd-keyfile']),
  );
  const isEncrypted = servers.map((server) => server.startsWith('https:'));
  if (isEncrypted.includes(true) && isEncrypted.includes(false))
    problems.push('--etcd-servers: https and http cannot be mixed');
  if (isEncrypted.includes(true)) return problems;
  const needless = tlsFiles(config).filter(([, path]) => path !== undefined);
  return [...problems, ...needless.map(([name]) => `--${name}: needs etcd servers at https://`)];
}

function historyProblems(config: ServeConfig, isEtcd: boolean): string[] {
  const { historyMegabytes, historyMs, etcdCompactionIntervalMs: leastMs } = config;
  if (historyMegabytes === undefined) return [];
  if (isEtcd) return ['--history-megabytes: has no effect on etcd, which has limits of its own'];
  return historyMs > leastMs && leastMs !== 0
    ? []
    : ['--history-megabytes: needs a --history that is longer than --etcd-compaction-interval'];
}

const countProblems = (count: number): string[] =>
  count > 0 ? [] : [`--apiserver-count should be a positive number, but value '${count}' provided`];

/** Retries are up to a fifth later than asked, so that servers do not try in step. */
const retryJitter = 1.2;

function leaderProblems(config: ServeConfig): string[] {
  const leaseMs = config.leaderElectLeaseDurationMs;
  const deadlineMs = config.leaderElectRenewDeadlineMs;
  const retryMs = config.leaderElectRetryPeriodMs;
  return [
    ...(leaseMs > deadlineMs
      ? []
      : ['--leader-elect-lease-duration must be greater than --leader-elect-renew-deadline']),
    ...(deadlineMs > retryMs * retryJitter
      ? []
      : [
          `--leader-elect-renew-deadline must be greater than --leader-elect-retry-period times ${retryJitter}`,
        ]),
  ];
}
