import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import type { PodDecision } from '../sync/decide-pod.ts';
import { minGraceMs, toDesiredPod } from '../sync/desired-pod.ts';
import { emptyMemory, type PodMemory, type PodVerdict } from '../sync/pod-input.ts';
import { verdictStatus } from '../sync/pod-status.ts';
import { recordStart, type StartResult } from '../sync/start-failures.ts';
import type { SyncKind } from './pod-metrics.ts';

/** What is known of a pod when its worker starts. */
export interface PodRecordOptions {
  readonly pod: Pod;
  /** What an earlier worker of the pod knew. */
  readonly memory?: PodMemory | undefined;
  /** The pod is not to be run. */
  readonly verdict?: PodVerdict | undefined;
  readonly nowMs: number;
}

/** What the agent remembers of one pod from one sync to the next. */
export class PodRecord {
  #pod: Pod;
  #memory: PodMemory;
  #verdict: PodVerdict | undefined;
  #isRemoved = false;
  #syncKind: SyncKind = 'create';

  /** A pod that is refused has failed at once: what it would have taken is free for the next one. */
  constructor({ pod, memory = emptyMemory, verdict, nowMs }: PodRecordOptions) {
    this.#pod = pod;
    this.#verdict = verdict;
    const view = { sandboxes: [], containers: [] };
    this.#memory =
      verdict === undefined
        ? memory
        : { ...memory, status: verdictStatus({ pod, memory, view, nowMs }, verdict) };
  }

  get pod(): Pod {
    return this.#pod;
  }

  get memory(): PodMemory {
    return this.#memory;
  }

  /** As it was last decided; before, that of the source or of a refusal. */
  get status(): PodStatus {
    return this.#memory.status ?? this.#pod.status;
  }

  /** The agent's own decision that the pod must end; undefined while there is none. */
  get verdict(): PodVerdict | undefined {
    return this.#verdict;
  }

  /** No source desires the pod any more. */
  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /** What the next plan is for. */
  get syncKind(): SyncKind {
    return this.#syncKind;
  }

  /** From SIGTERM to SIGKILL, were the pod to end now. */
  get endGraceMs(): number {
    return endGraceMs(this.#pod, this.#verdict);
  }

  /** The pod as its source has it now; gives whether something else is desired of it. */
  setPod(pod: Pod): boolean {
    const isSame = desiresTheSame(pod, this.#pod);
    this.#pod = pod;
    if (this.#syncKind === 'sync') this.#syncKind = 'update';
    return !isSame;
  }

  setRemoved(): void {
    this.#isRemoved = true;
    this.#syncKind = 'kill';
  }

  /** The first verdict stays, with the shortest grace of all. */
  addVerdict(verdict: PodVerdict): void {
    this.#verdict = stricterVerdict(this.#verdict, verdict);
  }

  /** Back-offs that a plan set count only once its actions are begun. */
  adopt({ memory }: PodDecision, { isBegun }: { readonly isBegun: boolean }): void {
    this.#memory = isBegun ? memory : { ...memory, backOffs: this.#memory.backOffs };
  }

  addStart(result: StartResult): void {
    this.#memory = recordStart(this.#memory, result);
  }

  /** A plan was carried out. */
  noteSynced(): void {
    if (!this.#isRemoved) this.#syncKind = 'sync';
  }
}

/** Whether two versions of a pod differ in nothing but their status and what servers note in passing. */
function desiresTheSame(a: Pod, b: Pod): boolean {
  return a === b || JSON.stringify(desiresOf(a)) === JSON.stringify(desiresOf(b));
}

function desiresOf({ metadata, spec }: Pod): unknown {
  const { labels, annotations, deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  return [spec, labels, annotations, deletionTimestamp, deletionGracePeriodSeconds];
}

/** From SIGTERM to SIGKILL, for a pod that is to end: the verdict's, its deletion's, or its own. */
export function endGraceMs(pod: Pod, verdict: PodVerdict | undefined): number {
  if (verdict?.graceMs !== undefined) return verdict.graceMs;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (typeof deletionTimestamp !== 'string' || deletionGracePeriodSeconds === undefined) {
    return toDesiredPod(pod).terminationGraceMs;
  }
  return Math.max(minGraceMs, deletionGracePeriodSeconds * 1000);
}

/** The verdict that was passed first, with the shortest grace that any of the two gives. */
export function stricterVerdict(before: PodVerdict | undefined, verdict: PodVerdict): PodVerdict {
  if (before === undefined || verdict.graceMs === undefined) return before ?? verdict;
  return { ...before, graceMs: Math.min(before.graceMs ?? Number.POSITIVE_INFINITY, verdict.graceMs) };
}
