import { expect } from 'chai';
import { cronJobController } from '../../../src/controllers/cron-job/cron-job-controller.ts';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { runController } from '../../support/controller-run.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const cronJobs = '/apis/batch/v1beta1/namespaces/default/cronjobs';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const minuteMs = 60_000;

describe('the controller of cron jobs', () => {
  let server: TestServer;
  let admin: ApiClient;
  let time: SimulatedTime;
  let stop: () => Promise<void>;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    // Objects are as old as the server's clock says.
    time = new SimulatedTime(Date.now());
    stop = runController(server, cronJobController, { clock: time.clockOf('controller') });
  });
  after(async () => {
    await stop();
    await server.stop();
  });

  const create = (name: string, spec: object = {}): Promise<JsonObject> =>
    admin.create(cronJobs, {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name },
      spec: {
        schedule: '* * * * *',
        ...spec,
        jobTemplate: {
          metadata: { labels: { of: name } },
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
        },
      },
    });
  const jobsOf = async (name: string): Promise<JsonObject[]> =>
    (await admin.expect('GET', `${jobs}?labelSelector=of%3D${name}`)).items;
  const end = (job: JsonObject | undefined) =>
    admin.expect('PATCH', `${jobs}/${job?.metadata.name}/status`, {
      body: { status: { conditions: [{ type: 'Complete', status: 'True' }] } },
      contentType: 'application/merge-patch+json',
    });
  /** Lets the controller look again and again until something is so, and no minute passes meanwhile unless `byMs` says so. */
  const until = <T>(has: () => Promise<T | undefined>, byMs = 10): Promise<T> =>
    eventually(async () => {
      await time.pass(byMs);
      return has();
    });
  const activeOf = async (name: string): Promise<string[]> => {
    const { status } = await admin.expect('GET', `${cronJobs}/${name}`);
    return (status.active ?? []).map((reference: JsonObject) => reference.name);
  };
  const reasonsOf = async (name: string): Promise<string[]> => {
    const { items } = await admin.expect('GET', inNamespace('default', 'events'));
    return items
      .filter(({ involvedObject }: JsonObject) => involvedObject.name === name)
      .map(({ reason }: JsonObject) => reason);
  };

  it('makes a job at its time, sees how it ends, and keeps as many as it may', async () => {
    await create('plain', { successfulJobsHistoryLimit: 1 });
    await time.pass(minuteMs);
    const [first] = await until(
      async () => ((await activeOf('plain')).length === 1 ? jobsOf('plain') : undefined),
      10_000,
    );
    expect(first?.metadata.name).to.match(/^plain-\d{10}$/);
    expect(first?.metadata.ownerReferences[0]).to.include({
      kind: 'CronJob',
      name: 'plain',
      controller: true,
    });
    await end(first);
    const second = await until(async () => {
      const found = (await jobsOf('plain')).find(({ metadata }) => metadata.name !== first?.metadata.name);
      return found;
    }, 10_000);
    await end(second);
    await until(async () => {
      const names = (await jobsOf('plain')).map(({ metadata }) => metadata.name);
      return names.includes(first?.metadata.name) ? undefined : names;
    }, 10_000);
    const reasons = await reasonsOf('plain');
    expect(reasons).to.include.members(['SuccessfulCreate', 'SawCompletedJob', 'SuccessfulDelete']);
  });

  it('puts the next job in place of one that still runs', async () => {
    await create('instead', { concurrencyPolicy: 'Replace' });
    await time.pass(minuteMs);
    const [first] = await until(async () => {
      const names = await activeOf('instead');
      return names.length === 1 ? names : undefined;
    }, 10_000);
    await until(async () => {
      const names = await activeOf('instead');
      return names.length === 1 && names[0] !== first ? names : undefined;
    }, 10_000);
    expect((await jobsOf('instead')).length).to.equal(1);
  });

  it('makes none beside one that runs, nor while it is suspended', async () => {
    await create('alone', { concurrencyPolicy: 'Forbid' });
    await create('off', { suspend: true });
    await create('clock');
    await time.pass(minuteMs);
    // Three jobs of another one tell that the controller has had its chances.
    await until(async () => ((await jobsOf('clock')).length >= 3 ? true : undefined), 10_000);
    expect([(await jobsOf('alone')).length, (await jobsOf('off')).length]).to.deep.equal([1, 0]);
  });
});
