import { expect } from 'chai';
import type { JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const jobs = '/apis/batch/v1/namespaces/default/jobs';

describe('the controller of jobs that have ended', () => {
  let server: TestServer;
  afterEach(() => server.stop());

  const begin = async (flags: readonly string[]): Promise<void> => {
    server = await startTestServer({
      flags: ['--controllers=ttl-after-finished,garbagecollector', ...flags],
    });
    for (const [name, ttlSecondsAfterFinished] of Object.entries({ short: 0, long: 3600, runs: 0 })) {
      await server.admin.create(jobs, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name },
        spec: {
          ttlSecondsAfterFinished,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        },
      });
    }
    const lastTransitionTime = new Date().toISOString();
    for (const name of ['long', 'short']) {
      await server.admin.expect('PATCH', `${jobs}/${name}/status`, {
        body: { status: { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime }] } },
        contentType: 'application/merge-patch+json',
      });
    }
  };
  const namesLeft = async (): Promise<string[]> =>
    (await server.admin.expect('GET', jobs)).items.map(({ metadata }: JsonObject) => metadata.name);

  it('deletes those whose time is over, and no others', async () => {
    await begin(['--feature-gates=TTLAfterFinished=true']);
    await eventually(async () => ((await namesLeft()).includes('short') ? undefined : true));
    expect(await namesLeft()).to.deep.equal(['long', 'runs']);
  });

  it('does not run unless its gate is on', async () => {
    await begin([]);
    const { items } = await server.admin.expect('GET', jobs);
    expect(items.map(({ spec }: JsonObject) => spec.ttlSecondsAfterFinished)).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await namesLeft()).to.deep.equal(['long', 'runs', 'short']);
  });
});
