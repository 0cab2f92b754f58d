import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
/** Arrivals are left out: only what ended can prove that a request was made. */
const policy = `{apiVersion: audit.orch.io/v1, kind: Policy, omitStages: [RequestReceived], rules: [
  {level: Metadata, resources: [{resources: [configmaps]}]}]}`;

describe('the audit log in mode blocking-strict', () => {
  let directory: TemporaryDirectory;
  let logPath: string;
  let flags: string[];
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    logPath = join(directory.path, 'audit.log');
    await writeFile(join(directory.path, 'policy.yaml'), policy);
    flags = [
      `--audit-policy-file=${join(directory.path, 'policy.yaml')}`,
      `--audit-log-path=${logPath}`,
      '--audit-log-mode=blocking-strict',
    ];
  });
  afterEach(() => directory.remove());

  const readRecorded = async (): Promise<Set<string>> => {
    const lines = (await readFile(logPath, 'utf8')).split('\n').slice(0, -1);
    const events = lines.map((line) => JSON.parse(line) as JsonObject);
    return new Set(events.map(({ objectRef }) => objectRef.name));
  };

  /** Creates objects until the server is gone, or the count is reached; gives the names of those that were answered. */
  async function createMany(client: ApiClient, who: string, count: number, code: number): Promise<string[]> {
    const names: string[] = [];
    for (let index = 0; index < count; index++) {
      const name = `${who}-${index}`;
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      const answer = await client.send('POST', configMaps, { body }).catch(() => undefined);
      if (answer === undefined) break;
      if (answer.code === code) names.push(name);
    }
    return names;
  }

  it('has every request that was answered before the server was killed', async () => {
    const server = await startServe([`--data-dir=${join(directory.path, 'data')}`, ...flags]);
    const clients = ['a', 'b', 'c', 'd'].map((who) => ({ who, client: new ApiClient(server.access) }));
    const running = clients.map(({ who, client }) => createMany(client, who, 10_000, 201));
    await createMany(new ApiClient(server.access), 'last', 60, 201);
    await server.kill();
    const answered = (await Promise.all(running)).flat();
    expect(answered.length).to.be.greaterThan(20);
    const recorded = await readRecorded();
    expect(answered.filter((name) => !recorded.has(name))).to.deep.equal([]);
  });

  it('answers no more when its disk is full, and keeps whole lines', async () => {
    const server = await startServe(['--ephemeral', ...flags], { maxFileBytes: 16 * 1024 });
    await using _ = server;
    const client = new ApiClient(server.access);
    const answered = await createMany(client, 'a', 200, 201);
    expect(answered.length).to.be.within(5, 100);
    const refused = await createMany(client, 'b', 3, 500);
    expect(refused).to.deep.equal(['b-0', 'b-1', 'b-2']);
    const recorded = await readRecorded();
    expect(answered.filter((name) => !recorded.has(name))).to.deep.equal([]);
  });
});
