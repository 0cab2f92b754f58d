/**
 * What knowing, allowing and recording a caller costs: CPU time of the server's process for one GET of a small config map.
 * The ways take turns; differences are medians over the rounds, each within its round, so that what else the machine does
 * falls on both sides.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '../test/support/api-client.ts';
import { makeTemporaryDirectory } from '../test/support/temporary-directory.ts';
import { type BenchServer, startProgram } from './bench-server.ts';
import { runClosedLoop } from './closed-loop.ts';
import { cpuMicros } from './process-usage.ts';
import { encodeRequest } from './raw-request.ts';

/** CPU time of a GET by a member of `system:masters`, and what other ways add to it, in microseconds. */
export interface AccessFigures {
  readonly mastersMicros: number;
  readonly boundMicros: number;
  readonly auditedMicros: number;
}

type Way = 'masters' | 'bound' | 'audited';

const bindings = 10_000;
const namespaces = 500;
const clients = 16;
const configMaps = '/api/v1/namespaces/default/configmaps';
const access = '/apis/rbac.authorization.orch.io/v1';
const tokens = 'masters-token,admin,admin,system:masters\nbound-token,user-7,user-7-uid,"group-7,group-8"\n';
const policy = 'apiVersion: audit.orch.io/v1\nkind: Policy\nrules:\n- level: Metadata\n';

/** Measures one server as it is, and one that records what it is asked in batches. */
export async function measureAccess({ isQuick }: { readonly isQuick: boolean }): Promise<AccessFigures> {
  await using directory = await makeTemporaryDirectory();
  const { path } = directory;
  await writeFile(join(path, 'tokens.csv'), tokens);
  await writeFile(join(path, 'policy.yaml'), policy);
  const start = (name: string, ...flags: readonly string[]): Promise<BenchServer> =>
    startProgram([
      `--data-dir=${join(path, name)}`,
      `--token-auth-file=${join(path, 'tokens.csv')}`,
      '--controllers=none',
      '--disable-admission-plugins=ServiceAccount',
      ...flags,
    ]);
  await using plain = await start('plain');
  await using audited = await start(
    'audited',
    `--audit-policy-file=${join(path, 'policy.yaml')}`,
    `--audit-log-path=${join(path, 'audit.log')}`,
    '--audit-log-mode=batch',
  );
  for (const server of [plain, audited]) await fill(server, isQuick ? 100 : bindings);
  const ways: Record<Way, () => Promise<number>> = {
    masters: () => costOf(plain, 'masters-token', isQuick ? 500 : 20_000),
    bound: () => costOf(plain, 'bound-token', isQuick ? 500 : 20_000),
    audited: () => costOf(audited, 'masters-token', isQuick ? 500 : 20_000),
  };
  const rounds: Record<Way, number>[] = [];
  // The first round warms up.
  for (let round = 0; round <= (isQuick ? 1 : 9); round++) {
    const [masters, bound, recorded] = [await ways.masters(), await ways.bound(), await ways.audited()];
    if (round > 0) rounds.push({ masters, bound, audited: recorded });
  }
  return {
    mastersMicros: median(rounds.map(({ masters }) => masters)),
    boundMicros: median(rounds.map(({ masters, bound }) => bound - masters)),
    auditedMicros: median(rounds.map(({ masters, audited: recorded }) => recorded - masters)),
  };
}

/** Makes what is read, and bindings of many users of which one is the caller. */
async function fill(server: BenchServer, count: number): Promise<void> {
  const admin = new ApiClient(server.access);
  try {
    await admin.create(configMaps, {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'c' },
      data: { a: 'b' },
    });
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
    await admin.create(`${access}/clusterroles`, {
      kind: 'ClusterRole',
      apiVersion: access.slice('/apis/'.length),
      metadata: { name: 'reader' },
      rules,
    });
    for (let at = 1; at < namespaces; at++) {
      await admin.create('/api/v1/namespaces', {
        kind: 'Namespace',
        apiVersion: 'v1',
        metadata: { name: `ns-${at}` },
      });
    }
  } finally {
    admin.close();
  }
  const bodies = Array.from({ length: count }, (_, at) => bindingOf(at));
  const { failures } = await runClosedLoop({
    access: server.access,
    protocol: 'http/1.1',
    clients,
    count,
    requestFor: (index) => {
      const { namespace, body } = bodies[index] ?? bindingOf(0);
      return encodeRequest(`${access}/namespaces/${namespace}/rolebindings`, { method: 'POST', body });
    },
    onReady: async () => {},
  });
  if (failures.length > 0) throw new Error(`bindings failed: ${failures.join(', ')}`);
}

function bindingOf(at: number): { readonly namespace: string; readonly body: string } {
  const namespace = at % namespaces === 0 ? 'default' : `ns-${at % namespaces}`;
  const body = JSON.stringify({
    kind: 'RoleBinding',
    apiVersion: access.slice('/apis/'.length),
    metadata: { name: `binding-${at}` },
    roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'reader' },
    // The caller has bindings in this namespace, and so have others.
    subjects: [
      {
        apiGroup: 'rbac.authorization.orch.io',
        kind: 'User',
        name: `user-${at % namespaces === 0 ? 7 : at % 2000}`,
      },
      { apiGroup: 'rbac.authorization.orch.io', kind: 'Group', name: `group-${at % 200}` },
    ],
  });
  return { namespace, body };
}

async function costOf({ access: at, pid = 0 }: BenchServer, token: string, count: number): Promise<number> {
  const request = encodeRequest(`${configMaps}/c`, { token });
  let before = 0;
  const { failures } = await runClosedLoop({
    access: { url: at.url, authorityPem: at.authorityPem },
    protocol: 'http/1.1',
    clients,
    count,
    requestFor: () => request,
    onReady: async () => {
      before = await cpuMicros(pid);
    },
  });
  if (failures.length > 0) throw new Error(`reads failed: ${failures.join(', ')}`);
  return ((await cpuMicros(pid)) - before) / count;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

/** The figures as lines, beside their goals. */
export function renderAccess({ mastersMicros, boundMicros, auditedMicros }: AccessFigures): string {
  const line = (name: string, value: string): string => `${name.padEnd(58)}${value}`;
  return [
    'Server CPU of a GET with a token, by 16 clients',
    line('system:masters', `${mastersMicros.toFixed(1)} µs`),
    line(`a user with some of ${bindings} bindings (goal: 3 µs more)`, `${boundMicros.toFixed(1)} µs more`),
    line('recorded in batches, level Metadata (goal: 10 µs more)', `${auditedMicros.toFixed(1)} µs more`),
    '',
  ].join('\n');
}
