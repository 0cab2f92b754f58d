import { expect } from 'chai';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { beginWorld, containerOf, podOf } from './subject.ts';

describe('metrics of pods', () => {
  async function open(parts: Parameters<typeof beginWorld>[0] = {}) {
    const told: string[] = [];
    const world = await beginWorld({
      ...parts,
      parts: (usual, self) => ({
        ...parts.parts?.(usual, self),
        metrics: {
          began: ({ metadata }) => told.push(`began ${metadata.uid}`),
          runs: ({ metadata }) => told.push(`runs ${metadata.uid}`),
          failed: (kind, durationMs) => told.push(`failed ${kind} ${durationMs >= 0}`),
          preempted: (resource) => told.push(`preempted ${resource}`),
        },
      }),
    });
    return { world, told };
  }

  it('tell when work on a pod begins and when it runs, each once', async () => {
    const { world, told } = await open();
    const init = [containerOf('i', 'job exit=0@3000')];
    world.put('api', podOf('u', { spec: { initContainers: init } }));
    await world.time.pass(60_000);
    expect(told).to.deep.equal(['began u', 'runs u']);
  });

  it('tell of rounds that fail, and what they were for', async () => {
    let isBroken = true;
    const { world, told } = await open({
      parts: ({ runtime }) => ({
        runtime: {
          ...runtime,
          runPodSandbox: (options) =>
            isBroken
              ? Promise.reject(new RuntimeError('invalid', 'no network'))
              : runtime.runPodSandbox(options),
        },
      }),
    });
    world.put('api', podOf('u'));
    await world.time.pass(1000);
    isBroken = false;
    expect([...new Set(told)]).to.deep.equal(['began u', 'failed create true']);
  });

  it('tell which resource pods made room for', async () => {
    const low = podOf('low');
    const { world, told } = await open({
      admit: ({ metadata }) => ({
        kind: 'admitted',
        preempts: metadata.uid === 'high' ? [low] : [],
        shortage: 'memory',
      }),
    });
    world.put('api', low);
    await world.time.pass(5000);
    world.put('api', podOf('high'));
    await world.time.pass(5000);
    expect(told.filter((each) => each.startsWith('preempted'))).to.deep.equal(['preempted memory']);
  });
});
