import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ApiClient } from '../../support/api-client.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

const group = '/apis/flowcontrol.apiserver.orch.io/v1beta1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const modest = Array.from({ length: 9 }, (_, at) => `modest-${at}`);
const greedyAtOnce = 100;
/** Seats of the level: 20 of 225 shares of 225 requests. */
const seats = 20;
/** Requests that are answered before anything is counted, and while it is. */
const [warmUp, counted] = [3 * seats, 20 * seats];
/** What one request at a time gets alone: each is answered when all that began before it are. */
const alone = counted / seats;

const level = (queuing: object): object => ({
  metadata: { name: 'shared' },
  spec: {
    type: 'Limited',
    limited: { assuredConcurrencyShares: seats, limitResponse: { type: 'Queue', queuing } },
  },
});
const schema = {
  metadata: { name: 'mine' },
  spec: {
    matchingPrecedence: 500,
    priorityLevelConfiguration: { name: 'shared' },
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: '*' } }],
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['configmaps'], namespaces: ['*'] }],
      },
    ],
  },
};

/** Requests that have a seat, in the order in which they got it, until somebody lets them go on. */
class Gate {
  readonly held: { readonly user: string; release(): void }[] = [];
  isOpen = false;
  webhook: WebhookServer | undefined;

  static async start(): Promise<Gate> {
    const gate = new Gate();
    gate.webhook = await WebhookServer.start((call, response) => {
      const review = JSON.parse(call.body);
      const release = (): void => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ ...review, status: { allowed: true } }));
      };
      if (gate.isOpen) release();
      else gate.held.push({ user: review.spec.user, release });
    });
    return gate;
  }

  open(): void {
    this.isOpen = true;
    for (const { release } of this.held.splice(0)) release();
  }
}

async function startServer(folder: string, { webhook }: Gate): Promise<TestServer> {
  const users = ['greedy', ...modest].map((user) => `token-of-${user},${user},${user}`);
  await writeFile(
    join(folder, 'tokens.csv'),
    [`${tokens.admin},admin,admin,system:masters`, ...users].join('\n'),
  );
  const cluster = { server: `${webhook?.url}/authz`, 'certificate-authority-data': webhook?.caBundle };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user: {} }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  };
  await writeFile(join(folder, 'authorization.conf'), JSON.stringify(config));
  return startTestServer({
    flags: [
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      '--authorization-mode=RBAC,Webhook',
      `--authorization-webhook-config-file=${join(folder, 'authorization.conf')}`,
      '--max-requests-inflight=225',
      '--max-mutating-requests-inflight=0',
      '--request-timeout=300s',
    ],
  });
}

/** Asks for one thing after the other, each another one: decisions are remembered. */
async function ask(client: ApiClient, name: string, isOver: () => boolean): Promise<void> {
  for (let count = 0; !isOver(); count++) await client.send('GET', `${configMaps}/${name}-${count}`);
}

/** How many requests have a seat or wait for one. */
async function countRequests({ admin }: TestServer): Promise<number> {
  const { text } = await admin.send('GET', '/debug/api_priority_and_fairness/dump_priority_levels');
  const [, waiting, executing] = /^shared, +\d+, +\w+, +\w+, +(\d+), +(\d+)$/m.exec(text) ?? [];
  return Number(waiting) + Number(executing);
}

/** Waits until every client has a request there, and every seat is taken. @throws Error when that does not happen. */
async function settle(server: TestServer, gate: Gate, requests: number): Promise<void> {
  const lateAt = Date.now() + 30_000;
  for (;;) {
    if (gate.held.length === Math.min(seats, requests) && (await countRequests(server)) === requests) return;
    if (Date.now() > lateAt)
      throw new Error(`${await countRequests(server)} requests are there, ${gate.held.length} have a seat`);
    await new Promise(setImmediate);
  }
}

/** How many requests of each modest user are answered while `counted` are in all, a hundred of the greedy one waiting. */
async function serveCrowd(queuing: object): Promise<readonly number[]> {
  await using folder = await makeTemporaryDirectory();
  const gate = await Gate.start();
  const server = await startServer(folder.path, gate);
  let isOver = false;
  const answered = new Map(modest.map((user) => [user, 0]));
  const clients: Promise<void>[] = [];
  try {
    await server.admin.create(`${group}/prioritylevelconfigurations`, level(queuing));
    await server.admin.create(`${group}/flowschemas`, schema);
    const start = (user: string, name: string): void => {
      clients.push(ask(server.withToken(`token-of-${user}`), name, () => isOver));
    };
    for (let at = 0; at < greedyAtOnce; at++) start('greedy', `greedy-${at}`);
    await settle(server, gate, greedyAtOnce);
    for (const user of modest) start(user, user);
    for (let step = 0; step < warmUp + counted; step++) {
      // Nobody answers before all have asked again: who is next does not depend on how fast anybody is.
      await settle(server, gate, greedyAtOnce + modest.length);
      const next = gate.held.shift();
      const before = answered.get(next?.user ?? '');
      if (step >= warmUp && before !== undefined) answered.set(next?.user ?? '', before + 1);
      next?.release();
    }
    return [...answered.values()];
  } finally {
    isOver = true;
    gate.open();
    await Promise.all(clients);
    await server.stop();
    await gate.webhook?.[Symbol.asyncDispose]();
  }
}

describe('one greedy user and nine modest ones', () => {
  it('the modest ones keep nine tenths of what they get alone', async function () {
    this.timeout(180_000);
    const served = await serveCrowd({ queues: 64, handSize: 6, queueLengthLimit: 50 });
    for (const count of served) expect(count).to.be.within(0.9 * alone, alone);
  });

  it('they would not if all waited in one queue', async function () {
    this.timeout(180_000);
    const served = await serveCrowd({ queues: 1, handSize: 1, queueLengthLimit: 200 });
    for (const count of served) expect(count).to.be.at.most(0.25 * alone);
  });
});
