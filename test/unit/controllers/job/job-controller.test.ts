import { expect } from 'chai';
import type { Job } from '../../../../src/apis/types/batch-v1.ts';
import type { Clock } from '../../../../src/base/index.ts';
import type { RestRequest } from '../../../../src/client/rest/index.ts';
import type { ControllerContext } from '../../../../src/controllers/index.ts';
import { jobController } from '../../../../src/controllers/job/job-controller.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { controllerSettings } from '../../../support/controller-settings.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { SimulatedCollection } from '../simulated-collection.ts';

const job = {
  ...{ apiVersion: 'batch/v1', kind: 'Job' },
  metadata: { namespace: 'n', name: 'j', uid: 'j' },
  spec: {
    ...{ parallelism: 1, completions: 1, backoffLimit: 6, activeDeadlineSeconds: 1 },
    selector: { matchLabels: { job: 'j' } },
    template: { metadata: { labels: { job: 'j' } }, spec: { containers: [] } },
  },
  status: {},
} as unknown as Job;

describe('the controller of jobs', () => {
  /** The controller beside a server that makes one pod, which informers see when `pods` is told. */
  function start(clockOf: (time: SimulatedTime) => Clock = (time) => time.clockOf('controller')) {
    const time = new SimulatedTime();
    const jobs = new SimulatedCollection();
    const pods = new SimulatedCollection();
    const created: ApiObject[] = [];
    const deleted: string[] = [];
    const send = async ({ method, path, body }: RestRequest): Promise<object> => {
      if (path.endsWith('/events')) return {};
      const name = path.split('/').at(-1) ?? '';
      if (method === 'PUT') jobs.set(body as ApiObject);
      else if (method === 'DELETE') deleted.push(name);
      else if (method === 'POST') {
        const sent = body as ApiObject;
        created.push({ ...sent, metadata: { ...sent.metadata, namespace: 'n', name: 'p', uid: 'p' } });
      }
      return created[0] ?? {};
    };
    const ending = new AbortController();
    const done = jobController.run({
      client: { send, json: send },
      informers: { jobs: () => jobs, pods: () => pods },
      settings: controllerSettings,
      dialect: orchDialect,
      logger: createRecordingLogger(),
      clock: clockOf(time),
      random: () => 0.5,
      signal: ending.signal,
    } as unknown as ControllerContext);
    const reasons = () => (jobs.get('n', 'j') as Job).status.conditions?.map(({ reason }) => reason);
    const stop = (): Promise<void> => {
      ending.abort();
      return done;
    };
    return { time, jobs, pods, created, deleted, reasons, stop };
  }

  it('ends no job before it has seen the pods that it made, which would stay', async () => {
    const { time, jobs, pods, created, deleted, reasons, stop } = start();
    jobs.set(job);
    await time.pass(5000);
    expect(created).to.have.lengthOf(1);
    expect(reasons()).to.equal(undefined);
    for (const pod of created) pods.set(pod);
    await time.pass(1000);
    expect(deleted).to.deep.equal(['p']);
    expect(reasons()).to.deep.equal(['DeadlineExceeded']);
    await stop();
  });

  it('sees a deadline that came while it looked at the job', async () => {
    // Each look at the clock takes a while; with 60 ms the deadline falls between the first and the last of one sync.
    for (const tickMs of [1, 7, 60, 150, 240, 350, 500]) {
      let ticks = 0;
      const { time, jobs, pods, created, reasons, stop } = start((time) => {
        const clock = time.clockOf('controller');
        return {
          ...clock,
          setTimer: clock.setTimer.bind(clock),
          nowMs: () => clock.nowMs() + tickMs * ticks++,
        };
      });
      jobs.set(job);
      await time.pass(10);
      for (const pod of created) pods.set(pod);
      await time.pass(60_000);
      expect(reasons(), `${tickMs}`).to.deep.equal(['DeadlineExceeded']);
      await stop();
    }
  });
});
