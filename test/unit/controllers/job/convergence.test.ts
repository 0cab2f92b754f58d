import { expect } from 'chai';
import fc from 'fast-check';
import type { Job, JobStatus } from '../../../../src/apis/types/batch-v1.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  countPods,
  decideCompletion,
  decideDifference,
  decideFailure,
  decideJobStatus,
  hasNewFailure,
  isJobFinished,
} from '../../../../src/controllers/job/decide.ts';
import { createRandomSource, type RandomSource } from '../../../support/random-source.ts';

/** How the pods of a job are at first, and what it asks for. */
interface Start {
  readonly parallelism: number;
  /** Undefined: one success is enough. */
  readonly completions: number | undefined;
  readonly backoffLimit: number;
  readonly phases: readonly string[];
  /** Of a hundred pods that end, so many fail. */
  readonly failures: number;
  readonly seed: number;
}

const phase = fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed');
const anyStart: fc.Arbitrary<Start> = fc.record({
  parallelism: fc.integer({ min: 1, max: 5 }),
  completions: fc.option(fc.nat(8), { nil: undefined }),
  backoffLimit: fc.nat(6),
  phases: fc.array(phase, { maxLength: 8 }),
  failures: fc.constantFrom(0, 0, 20, 100),
  seed: fc.nat(),
});

const podIn = (name: string, phase: string): Pod => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { containers: [] },
  status: { phase },
});

/** A job whose pods end as chance has it. The rest of its controller is as short as can be: it writes what was decided. */
class World {
  nowMs = Date.UTC(2026, 0, 1);
  pods: Pod[];
  status: JobStatus = {};
  readonly #start: Start;
  readonly #random: RandomSource;
  #retries = 0;
  #created = 0;

  constructor(start: Start) {
    this.#start = start;
    this.#random = createRandomSource(start.seed);
    this.pods = start.phases.map((phase, at) => podIn(`first-${at}`, phase));
  }

  get job(): Job {
    const { parallelism, completions, backoffLimit } = this.#start;
    return {
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name: 'j', namespace: 'n', uid: 'u' },
      spec: {
        ...{ parallelism, backoffLimit, template: { metadata: {}, spec: { containers: [] } } },
        ...(completions !== undefined && { completions }),
      },
      status: this.status,
    };
  }

  /** Pods begin and end. */
  work(chance: number): void {
    this.nowMs += 1000;
    this.pods = this.pods.map((pod) => {
      if (this.#random.below(chance) > 0 || !countPods([pod]).active.length) return pod;
      if (pod.status.phase === 'Pending') return { ...pod, status: { phase: 'Running' } };
      const fails = this.#random.below(100) < this.#start.failures;
      return { ...pod, status: { phase: fails ? 'Failed' : 'Succeeded' } };
    });
  }

  /** Does what is decided, and looks whether it may be; whether there was anything to do. */
  step(): boolean {
    const { job, nowMs } = this;
    if (isJobFinished(job)) return false;
    const counts = countPods(this.pods);
    const failure = decideFailure(job, this.pods, { nowMs, retries: this.#retries });
    const difference = failure === undefined ? decideDifference(job, counts) : -counts.active.length;
    this.#expectAllowed(difference, failure !== undefined);
    const gone = counts.active.slice(0, Math.max(0, -difference));
    this.pods = this.pods.filter((pod) => !gone.includes(pod));
    for (let at = 0; at < difference; at++) this.pods.push(podIn(`made-${++this.#created}`, 'Pending'));
    const active = counts.active.length + difference;
    const end = failure === undefined ? decideCompletion(job, { ...counts, active }) : undefined;
    const isComplete = end?.isComplete === true;
    const { succeeded, failed } = counts;
    const status = decideJobStatus(job, { active, succeeded, failed, isComplete, failure, nowMs });
    if (hasNewFailure(job, counts)) this.#retries++;
    if (status !== undefined) this.status = status;
    return difference !== 0 || status !== undefined;
  }

  #expectAllowed(difference: number, hasFailed: boolean): void {
    const { parallelism, completions } = this.#start;
    const { active, succeeded } = countPods(this.pods);
    if (hasFailed) return;
    if (difference > 0) {
      expect(active.length + difference, 'parallelism').to.be.most(parallelism);
      const all = active.length + succeeded + difference;
      if (completions !== undefined) expect(all, 'completions').to.be.most(completions);
      else expect(succeeded, 'begins none after a success').to.equal(0);
    }
    // What runs and is not too much may end.
    if (difference < 0) expect(active.length + difference).to.equal(parallelism);
  }
}

describe('a job in any state', () => {
  it('has no more pods than it may, ends once, and is not touched afterwards', () => {
    fc.assert(
      fc.property(anyStart, (start) => {
        const world = new World(start);
        let rounds = 0;
        while (!isJobFinished(world.job) && rounds++ < 200) {
          world.step();
          world.work(rounds < 20 ? 3 : 1);
        }
        expect(rounds, 'ends').to.be.below(200);
        const { completions, failures, backoffLimit } = start;
        const ends = (world.status.conditions ?? []).map(({ type }) => type);
        const { succeeded, failed, active } = countPods(world.pods);
        if (ends[0] === 'Complete') expect(succeeded).to.be.least(completions ?? 1);
        else {
          expect(failed).to.be.above(0);
          expect(active).to.deep.equal([]);
        }
        expect(ends).to.have.lengthOf(1);
        const mayFail = failures > 0 || start.phases.includes('Failed');
        if (!mayFail) expect(ends).to.deep.equal(['Complete']);
        if (failures === 100 && completions !== 0 && succeeded < (completions ?? 1)) {
          expect(ends).to.deep.equal(['Failed']);
          expect(failed).to.be.above(backoffLimit > 0 ? 1 : 0);
        }
        const before = world.pods;
        expect(world.step()).to.equal(false);
        expect(world.pods).to.equal(before);
      }),
      { numRuns: 500 },
    );
  });
});
