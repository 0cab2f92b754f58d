import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import type { CpuPolicy } from '../../../../src/nodeagent/cpu-manager/allocate-pod.ts';
import { formatCpuSet } from '../../../../src/nodeagent/cpu-manager/cpu-set.ts';
import {
  type CpuHold,
  CpuManager,
  type RunningContainer,
} from '../../../../src/nodeagent/cpu-manager/index.ts';
import { freshState } from '../../../../src/nodeagent/cpu-manager/open-cpu-state.ts';
import type { CpuRecord } from '../../../../src/nodeagent/cpu-manager/state/index.ts';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { containerOf, machineOf, podOf } from './subject.ts';

const policy: CpuPolicy = {
  topology: machineOf({ sockets: 1, coresPerSocket: 4, threadsPerCore: 1 }),
  reserved: new Set([0]),
  alignment: 'none',
  scope: 'container',
};
const podWith = (uid: string, cpus: number) => podOf(uid, [containerOf('c', `${cpus}`)]);

describe('CPUs', () => {
  let time: SimulatedTime;
  let logger: ReturnType<typeof createRecordingLogger>;
  let written: CpuRecord[];
  let updates: string[];
  let running: RunningContainer[];
  let holds: Record<string, CpuHold>;
  let fails: { file?: Error; runtime?: Error };
  let processors: CpuManager;
  beforeEach(() => {
    time = new SimulatedTime();
    logger = createRecordingLogger();
    [written, updates, running] = [[], [], []];
    holds = {};
    fails = {};
    processors = new CpuManager({
      policy,
      state: freshState(policy),
      file: {
        async write(record) {
          if (fails.file !== undefined) throw fails.file;
          written.push(record);
        },
      },
      runtime: {
        async updateContainerResources(id, { cpusetCpus }) {
          if (fails.runtime !== undefined) throw fails.runtime;
          updates.push(`${id}=${cpusetCpus}`);
        },
      },
      holdOf: (podUid) => holds[podUid] ?? 'desired',
      running: () => running,
      periodMs: 10_000,
      clock: time.clockOf('processors'),
      logger,
    });
  });

  const give = (uid: string, cpus: number): string => {
    const plan = processors.plan(podWith(uid, cpus));
    if (plan.refusal === undefined) plan.commit();
    return plan.refusal?.reason ?? 'given';
  };
  const runs = (id: string, podUid: string): void => void running.push({ id, podUid, name: 'c' });
  const shared = (): string => formatCpuSet(processors.state.shared);

  it('changes nothing before a plan is committed', () => {
    expect(processors.plan(podWith('a', 3)).refusal).to.equal(undefined);
    expect(shared()).to.equal('0-3');
    expect(give('a', 3)).to.equal('given');
    expect(shared()).to.equal('0');
    expect(give('b', 1)).to.equal('UnexpectedAdmissionError');
  });

  it('tells a container its CPUs once they are on disk', async () => {
    give('a', 2);
    expect(await processors.cpusFor('a', 'c')).to.equal('1-2');
    expect(written.at(-1)?.entries.get('a')?.get('c')).to.equal('1-2');
    expect(await processors.cpusFor('other', 'c')).to.equal('0,3');
    expect(written).to.have.length(1);
  });

  it('tells nothing that cannot be written, and tries again when it is asked again', async () => {
    fails.file = new Error('no space left');
    give('a', 2);
    const failure = await processors.cpusFor('a', 'c').catch((error: Error) => error);
    expect(failure).to.equal(fails.file);
    expect(logger.lines.map(({ message }) => message)).to.include('CPU manager checkpoint write failed');
    delete fails.file;
    expect(await processors.cpusFor('a', 'c')).to.equal('1-2');
  });

  it('moves others away when a pod comes, and back when it is gone; tells nobody what he knows', async () => {
    runs('x', 'others');
    processors.noteCreated('x', '0-3');
    give('a', 2);
    processors.noteCreated('y', '1-2');
    runs('y', 'a');
    await processors.reconcile();
    expect(updates).to.deep.equal(['x=0,3']);
    holds.a = 'terminating';
    await processors.reconcile();
    expect(updates).to.have.length(1);
    holds.a = 'gone';
    running = running.filter(({ id }) => id !== 'y');
    await processors.reconcile();
    expect(updates).to.deep.equal(['x=0,3', 'x=0-3']);
    await processors.whenSaved();
    expect(written.at(-1)).to.deep.equal({ policyName: 'static', defaultCpuSet: '0-3', entries: new Map() });
  });

  it('tells containers that an agent before has made, once', async () => {
    runs('x', 'others');
    await processors.reconcile();
    await processors.reconcile();
    expect(updates).to.deep.equal(['x=0-3']);
  });

  it('takes CPUs of a pod that ends only where there are not enough, and moves what runs of it', async () => {
    give('a', 2);
    runs('x', 'a');
    processors.noteCreated('x', '1-2');
    holds.a = 'terminating';
    give('b', 1);
    expect(await processors.cpusFor('b', 'c')).to.equal('3');
    expect(give('d', 2)).to.equal('given');
    expect(await processors.cpusFor('d', 'c')).to.equal('1-2');
    await processors.reconcile();
    expect(updates).to.deep.equal(['x=0']);
  });

  it('reconciles in every period, tries again what failed, and stops at the end', async () => {
    runs('x', 'others');
    fails.runtime = new RuntimeError('failed', 'UpdateContainerResources: no');
    const end = new AbortController();
    const loop = processors.run(end.signal);
    await time.pass(1);
    expect(logger.lines.map(({ message }) => message)).to.deep.equal(['container cpuset update failed']);
    fails.runtime = new RuntimeError('not-found', 'UpdateContainerResources: it is gone');
    await time.pass(10_000);
    expect(logger.lines).to.have.length(1);
    delete fails.runtime;
    await time.pass(9998);
    expect(updates).to.deep.equal([]);
    await time.pass(2);
    expect(updates).to.deep.equal(['x=0-3']);
    end.abort();
    await loop;
    expect(time.pending('processors')).to.equal(0);
  });
});
