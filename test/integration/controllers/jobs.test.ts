import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const pods = inNamespace('default', 'pods');
const jobs = '/apis/batch/v1/namespaces/default/jobs';

describe('the controller of jobs', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({
      flags: ['--controllers=job', '--disable-admission-plugins=ServiceAccount'],
    });
    admin = server.admin;
  });
  after(() => server.stop());

  const create = (name: string, spec: object): Promise<JsonObject> =>
    admin.create(jobs, {
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name },
      spec: {
        ...spec,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    });
  const podsOf = async (name: string): Promise<JsonObject[]> =>
    (await admin.expect('GET', `${pods}?labelSelector=job-name%3D${name}`)).items;
  const end = (pod: JsonObject | undefined, phase: string) =>
    admin.expect('PATCH', `${pods}/${pod?.metadata.name}/status`, {
      body: { status: { phase } },
      contentType: 'application/merge-patch+json',
    });
  const until = (name: string, has: (status: JsonObject) => boolean): Promise<JsonObject> =>
    eventually(async () => {
      const { status } = await admin.expect('GET', `${jobs}/${name}`);
      return has(status) ? status : undefined;
    });

  it('runs pods until enough have succeeded, and never one too many', async () => {
    await create('two', { parallelism: 1, completions: 2 });
    await until('two', ({ active }) => active === 1);
    await end((await podsOf('two'))[0], 'Succeeded');
    await until('two', ({ active, succeeded }) => active === 1 && succeeded === 1);
    await end(
      (await podsOf('two')).find(({ status }) => status.phase === 'Pending'),
      'Succeeded',
    );
    const { conditions, succeeded, completionTime } = await until('two', (status) => status.conditions);
    expect([conditions[0].type, succeeded, typeof completionTime]).to.deep.equal(['Complete', 2, 'string']);
    expect(await podsOf('two')).to.have.lengthOf(2);
  });

  it('gives up after too many failures, and says so', async () => {
    await create('fails', { backoffLimit: 0 });
    await until('fails', ({ active }) => active === 1);
    await end((await podsOf('fails'))[0], 'Failed');
    const { conditions, failed } = await until('fails', (status) => status.conditions);
    expect([conditions[0].type, conditions[0].reason, failed]).to.deep.equal([
      'Failed',
      'BackoffLimitExceeded',
      1,
    ]);
    await eventually(async () => {
      const { items } = await admin.expect('GET', inNamespace('default', 'events'));
      return items.find(
        ({ reason, involvedObject }: JsonObject) =>
          reason === 'BackoffLimitExceeded' && involvedObject.name === 'fails',
      );
    });
  });

  it('ends a job with its pods when its time is up', async () => {
    await create('late', { activeDeadlineSeconds: 1 });
    const { conditions } = await until('late', (status) => status.conditions);
    expect(conditions[0].reason).to.equal('DeadlineExceeded');
    await eventually(async () => ((await podsOf('late')).length === 0 ? true : undefined));
  });
});
