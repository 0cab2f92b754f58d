import { etcdServers, storageRoot } from './etcd-servers.ts';
import type { ServeConfig } from './serve-options.ts';

/** Flags that mean nothing without etcd, and must not seem to. */
const etcdOnly = ['etcd-cafile', 'etcd-certfile', 'etcd-keyfile', 'storage-backend'] as const;

/** Problems between the options of storage and of servers that share it, one sentence each. */
export function storageProblems(config: ServeConfig): string[] {
  const servers = etcdServers(config);
  return [
    ...placeProblems(config),
    ...(servers === undefined ? withoutEtcd(config) : tlsProblems(config, servers)),
    ...countProblems(config['apiserver-count']),
    ...leaderProblems(config),
  ];
}

function placeProblems({ ephemeral, storage, 'etcd-servers': servers }: ServeConfig): string[] {
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
  const given: string[] = etcdOnly.filter((name) => Boolean(config[name]));
  if (storageRoot(config) !== '/registry/') given.push('etcd-prefix');
  return given.map((name) => `--${name}: needs --etcd-servers or --storage=etcd:URL`);
}

function tlsProblems(config: ServeConfig, servers: readonly string[]): string[] {
  const problems: string[] = [];
  if (storageRoot(config) === '/') problems.push('--etcd-prefix: needs a name');
  if ((config['etcd-certfile'] === undefined) !== (config['etcd-keyfile'] === undefined))
    problems.push('--etcd-certfile and --etcd-keyfile must be given together');
  const isEncrypted = servers.map((server) => server.startsWith('https:'));
  if (isEncrypted.includes(true) && isEncrypted.includes(false))
    problems.push('--etcd-servers: https and http cannot be mixed');
  if (isEncrypted.includes(true)) return problems;
  const needless = (['etcd-cafile', 'etcd-certfile', 'etcd-keyfile'] as const).filter(
    (name) => config[name] !== undefined,
  );
  return [...problems, ...needless.map((name) => `--${name}: needs etcd servers at https://`)];
}

const countProblems = (count: number): string[] =>
  count > 0 ? [] : [`--apiserver-count should be a positive number, but value '${count}' provided`];

/** Retries are up to a fifth later than asked, so that servers do not try in step. */
const retryJitter = 1.2;

function leaderProblems(config: ServeConfig): string[] {
  const leaseMs = config['leader-elect-lease-duration'];
  const deadlineMs = config['leader-elect-renew-deadline'];
  const retryMs = config['leader-elect-retry-period'];
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
