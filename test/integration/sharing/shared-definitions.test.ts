import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ApiClient, type JsonObject } from '../../support/api-client.ts';
import {
  conditionOf,
  definitionsPath,
  openVersion,
  untilEstablished,
  widget,
  widgetDefinition,
} from '../../support/definitions.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

const rounds = 10;
const bindings = '/apis/rbac.authorization.orch.io/v1/clusterrolebindings';

describe('definitions and roles of several servers on one etcd', function () {
  this.timeout(120_000);
  let etcd: EtcdCluster;
  let directory: TemporaryDirectory;
  let servers: ServerProcess[] = [];
  /** Somebody without rights, at each server. */
  let strangers: ApiClient[] = [];
  /** How long the other servers took, in milliseconds. */
  const delays: number[] = [];

  before(async () => {
    [etcd, directory] = [await startEtcd(), await makeTemporaryDirectory()];
    const tokens = join(directory.path, 'tokens.csv');
    await writeFile(tokens, 'alice-token,alice,alice-uid\n');
    const start = (address: string) =>
      startServerProcess([
        `--etcd-servers=${etcd.endpoints.join(',')}`,
        `--advertise-address=${address}`,
        '--service-cluster-ip-range=10.0.0.0/24',
        '--disable-admission-plugins=ServiceAccount',
        '--authorization-mode=RBAC',
        `--token-auth-file=${tokens}`,
      ]);
    servers = await Promise.all(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(start));
    strangers = servers.map(({ admin: { access } }) => {
      const { url, authorityPem } = access;
      return new ApiClient({ url, authorityPem, token: 'alice-token' });
    });
  });
  after(async () => {
    for (const client of strangers) client.close();
    for (const server of servers) await server[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
    await directory?.remove();
    if (process.env.ORCH_TEST_FIGURES !== undefined)
      console.log(`      longest delay ${Math.round(Math.max(...delays))} ms of ${delays.length}`);
  });

  const admin = (at: number): ApiClient => {
    const server = servers[at % servers.length];
    if (server === undefined) throw new RangeError('no server');
    return server.admin;
  };
  /** Waits until what is asked of each server is so. */
  const everywhere = async (isSo: (client: ApiClient, at: number) => Promise<boolean>): Promise<void> => {
    const since = performance.now();
    await Promise.all(
      servers.map((server, at) =>
        eventually(async () => ((await isSo(server.admin, at)) ? true : undefined)),
      ),
    );
    delays.push(performance.now() - since);
  };
  const code = async (client: ApiClient, path: string): Promise<number> => (await client.get(path)).code;

  it('are served, changed and gone on all of them, with their objects and watches', async () => {
    for (let round = 0; round < rounds; round++) {
      const group = `r${round}.example.com`;
      const name = `widgets.${group}`;
      const path = `/apis/${group}/v1/namespaces/default/widgets`;
      await admin(round).create(definitionsPath, widgetDefinition(group));
      await everywhere(async (client) => (await code(client, path)) === 200);
      const { body: discovery } = await admin(round + 1).get(`/apis/${group}/v1`);
      expect(discovery.resources.map((each: JsonObject) => each.name)).to.deep.equal(['widgets']);

      const watches = await Promise.all(servers.map((server) => server.admin.watch(path)));
      const made = await admin(round + 1).create(path, widget(group, 'a', { spec: { round } }));
      for (const server of servers)
        expect((await server.admin.expect('GET', `${path}/a`)).metadata.uid).to.equal(made.metadata.uid);
      await Promise.all(watches.map((watch) => watch.take(1)));

      // Another server gives it a second version.
      const { body: definition } = await admin(round + 2).get(`${definitionsPath}/${name}`);
      definition.spec.versions.push(openVersion('v2', { storage: false }));
      await admin(round + 2).expect('PUT', `${definitionsPath}/${name}`, { body: definition });
      const second = path.replace('/v1/', '/v2/');
      await everywhere(async (client) => (await code(client, `${second}/a`)) === 200);
      await admin(round).expect('PATCH', `${second}/a`, {
        contentType: 'application/merge-patch+json',
        body: { spec: { round: 'changed' } },
      });
      await Promise.all(watches.map((watch) => watch.take(2)));

      await admin(round + 1).expect('DELETE', `${definitionsPath}/${name}`);
      await everywhere(async (client) => (await code(client, path)) === 404);
      await everywhere(async (client) => (await code(client, `/apis/${group}`)) === 404);
      for (const watch of watches) {
        expect(await watch.ended).to.equal('end');
        expect(watch.lines).to.deep.equal(['ADDED a', 'MODIFIED a', 'DELETED a']);
      }
    }
  });

  it('give a name that several want to one of them, and agree on which', async () => {
    const group = 'contest.example.com';
    const plurals = Array.from({ length: 9 }, (_, at) => `w${at}s`);
    const contest = plurals.map((plural) => {
      const names = { plural, singular: plural, kind: 'Widget', listKind: `${plural}List` };
      return { ...widgetDefinition(group, { names }), metadata: { name: `${plural}.${group}` } };
    });
    await Promise.all(contest.map((definition, at) => admin(at).create(definitionsPath, definition)));
    const states = async (client: ApiClient): Promise<readonly string[]> => {
      const { items } = await client.expect('GET', definitionsPath);
      return items
        .filter(({ spec }: JsonObject) => spec.group === group)
        .map((item: JsonObject) => conditionOf(item, 'Established')?.status ?? 'none');
    };
    await everywhere(async (client) => !(await states(client)).includes('none'));
    const seen = await states(admin(0));
    expect(seen.filter((status) => status === 'True')).to.have.length(1);
    await everywhere(async (client) => {
      const served = await Promise.all(plurals.map((plural) => code(client, `/apis/${group}/v1/${plural}`)));
      return served.every((answer, at) => answer === (seen[at] === 'True' ? 200 : 404));
    });
  });

  it('write each condition once, whoever of them is first', async () => {
    const group = 'calm.example.com';
    const watch = await admin(0).watch(definitionsPath, {
      fieldSelector: `metadata.name=widgets.${group}`,
    });
    await admin(0).create(definitionsPath, widgetDefinition(group));
    await untilEstablished(admin(1), `widgets.${group}`);
    // What comes later is looked at later: by then nothing more was written of the first.
    await admin(2).create(definitionsPath, widgetDefinition('later.example.com'));
    for (const at of servers.keys()) await untilEstablished(admin(at), 'widgets.later.example.com');
    await watch.until(() => watch.events.length >= 2, 'the conditions');
    const events = watch.events.map(({ type }) => type);
    watch.close();
    expect(events).to.deep.equal(['ADDED', 'MODIFIED']);
  });

  it('allow on all of them what a binding through one allows, and no more when it is gone', async () => {
    for (let round = 0; round < rounds; round++) {
      const name = `alice-${round}`;
      const binding = {
        apiVersion: 'rbac.authorization.orch.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: 'alice' }],
      };
      const answers = (wanted: number) =>
        everywhere(async (_, at) => {
          const stranger = strangers[at];
          return stranger !== undefined && (await code(stranger, '/api/v1/pods')) === wanted;
        });
      await answers(403);
      await admin(round).create(bindings, binding);
      await answers(200);
      await admin(round + 1).expect('DELETE', `${bindings}/${name}`);
      await answers(403);
    }
  });
});
