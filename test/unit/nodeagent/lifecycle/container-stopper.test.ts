import { expect } from 'chai';
import { ContainerStopper } from '../../../../src/nodeagent/lifecycle/container-stopper.ts';
import { podOf } from '../sync/pod-input.ts';

/** What was done to stop a container that has two seconds. */
async function stop(pod: ReturnType<typeof podOf>): Promise<readonly string[]> {
  const done: string[] = [];
  const stopper = new ContainerStopper({
    events: { record: ({ reason }) => done.push(reason) },
    hooks: {
      async preStop(_target, graceMs) {
        done.push('hook');
        return graceMs - 500;
      },
    },
    runtime: {
      async stopContainer(id, { timeoutMs }) {
        done.push(`stop ${id} within ${timeoutMs} ms`);
      },
    },
  });
  const request = { containerId: 'c-0', name: 'c', graceMs: 2000, message: 'Stopping container c' };
  await stopper.stop({ pod, stop: request, podIp: undefined });
  return done;
}

describe('a container that is stopped', () => {
  it('has its hook run within the grace', async () => {
    const pod = podOf({ terminationGracePeriodSeconds: 2 });
    expect(await stop(pod)).to.deep.equal(['Killing', 'hook', 'stop c-0 within 1500 ms']);
  });

  it('has a short grace, but no hook, when its pod has no grace', async () => {
    const withoutHook = ['Killing', 'stop c-0 within 2000 ms'];
    expect(await stop(podOf({ terminationGracePeriodSeconds: 0 }))).to.deep.equal(withoutHook);
    expect(await stop(podOf({ terminationGracePeriodSeconds: -1 }))).to.deep.equal(withoutHook);
    const deleted = podOf({ terminationGracePeriodSeconds: 30 }, { deletionGracePeriodSeconds: 0 });
    expect(await stop(deleted)).to.deep.equal(withoutHook);
  });
});
