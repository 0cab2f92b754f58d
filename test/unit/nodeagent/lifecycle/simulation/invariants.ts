import type { Pod } from '../../../../../src/apis/types/core-v1.ts';
import { minGraceMs } from '../../../../../src/nodeagent/sync/desired-pod.ts';
import type { SimulatedTime } from '../../../../support/simulated-time.ts';
import type { ContainerRecord, RuntimeObserver } from './simulated-runtime.ts';

/** What the agent that is alive has been told of one pod. */
export interface KnownPod {
  pod: Pod;
  readonly source: string;
  /** Why nothing of it may be started any more. */
  end: string | undefined;
  /** Shortest time that anybody allowed its containers for their end. */
  graceMs: number;
}

/** Calls of one pod within one second of simulated time. */
const maxCallsPerSecond = 60;

/** Watches a simulated runtime, and keeps what must never be. */
export class Invariants implements RuntimeObserver {
  readonly broken: string[] = [];
  readonly #time: SimulatedTime;
  readonly #known: ReadonlyMap<string, KnownPod>;
  readonly #containers: () => Iterable<ContainerRecord>;
  readonly #calls = new Map<string, number>();
  #second = 0;
  callCount = 0;
  startCount = 0;

  constructor(
    time: SimulatedTime,
    known: ReadonlyMap<string, KnownPod>,
    containers: () => Iterable<ContainerRecord>,
  ) {
    this.#time = time;
    this.#known = known;
    this.#containers = containers;
  }

  onCall(call: string, uid: string | undefined): void {
    this.callCount += 1;
    const second = Math.floor(this.#time.nowMs / 1000);
    if (second !== this.#second) this.#calls.clear();
    this.#second = second;
    const count = (this.#calls.get(uid ?? '') ?? 0) + 1;
    this.#calls.set(uid ?? '', count);
    if (count === maxCallsPerSecond) this.#tell(`more than ${count} calls in a second`, uid ?? 'watch');
    if (!['runPodSandbox', 'createContainer', 'startContainer'].includes(call)) return;
    const known = this.#known.get(uid ?? '');
    if (known?.end !== undefined) this.#tell(`${call} though the pod ${known.end}`, uid ?? '');
  }

  onSandbox: RuntimeObserver['onSandbox'];

  onStart(container: ContainerRecord): void {
    const { uid, name, sandbox, isLate } = container;
    this.startCount += 1;
    if (isLate) return;
    const others = [...this.#containers()].filter(
      (each) => each !== container && each.uid === uid && each.name === name && !each.isLate,
    );
    if (others.some((each) => each.status.state === 'running'))
      this.#tell('two instances run', `${uid} ${name}`);
    const pod = this.#known.get(uid)?.pod;
    if (pod === undefined) return;
    const init = (pod.spec.initContainers ?? []).map((each) => each.name);
    const place = init.indexOf(name);
    const before = place < 0 ? init : init.slice(0, place);
    const missing = before.filter((each) => !sandbox.initDone.has(each));
    if (missing.length > 0) this.#tell(`started before ${missing.join()} had ended well`, `${uid} ${name}`);
    if (place >= 0) return;
    this.#checkPolicy(pod, container, others);
  }

  /** A container that was changed may be made anew, whatever became of it. */
  #checkPolicy(pod: Pod, { uid, name, status }: ContainerRecord, others: readonly ContainerRecord[]): void {
    const codes = others
      .map((each) => each.status)
      .filter(
        (each) => each.state === 'exited' && each.startedAtMs !== undefined && each.image === status.image,
      )
      .map(({ exitCode }) => exitCode);
    const { restartPolicy } = pod.spec;
    if (restartPolicy === 'Never' && codes.length > 0) this.#tell('a second start', `${uid} ${name}`);
    if (restartPolicy === 'OnFailure' && codes.includes(0))
      this.#tell('a start after a success', `${uid} ${name}`);
  }

  onKill({ uid, name, stopBegunMs, isLate }: ContainerRecord, how: string): void {
    if (isLate) return;
    const graceMs = this.#known.get(uid)?.graceMs ?? minGraceMs;
    const waitedMs = stopBegunMs === undefined ? 0 : this.#time.nowMs - stopBegunMs;
    if (waitedMs < graceMs)
      this.#tell(`killed by ${how} after ${waitedMs} of ${graceMs} ms`, `${uid} ${name}`);
  }

  onLetGo(uid: string, what: string): void {
    const running = [...this.#containers()].find(
      (each) => each.uid === uid && each.status.state === 'running' && !each.isLate,
    );
    if (running !== undefined) this.#tell(`${what} let go though ${running.name} runs`, uid);
  }

  #tell(what: string, of: string): void {
    this.broken.push(`${(this.#time.nowMs % 10_000_000) / 1000} s: ${of}: ${what}`);
  }
}
