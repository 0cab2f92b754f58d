import { isDeepStrictEqual } from 'node:util';
import { keepProcessAlive } from '../../base/index.ts';
import { type Change, createReporter, dryRunNote } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { waitForAll } from '../delete/wait-for-all.ts';
import { CombinedError, CtlError } from '../errors.ts';
import { formatError } from '../format-error.ts';
import { watchInterrupt } from '../interrupt.ts';
import { isPassing } from '../passing-error.ts';
import { formatObjectName } from '../printers/name.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';
import { typeName } from '../resource/target.ts';
import { type ApplyCall, type ApplyPlan, applyFiles, planApply, pruneFiles } from './apply-files.ts';
import type { AppliedObject } from './prune.ts';
import { SourceWatch } from './source-watch.ts';

/** What a server could not do is tried again after this time. */
const retryMs = 5000;

/**
 * Applies files, follows them, and applies again what changed, until the user interrupts. What goes wrong is reported, and does
 * not end it. @throws CtlError for what cannot be followed, or before the first time
 */
export async function applyWatching(given: Ctl, call: ApplyCall): Promise<void> {
  checkSources(call);
  const interrupt = watchInterrupt(given);
  const release = keepProcessAlive();
  const ending = new AbortController();
  void interrupt.came.then(() => ending.abort());
  const ctl = { ...given, io: { ...given.io, signal: ending.signal } };
  using sources = new SourceWatch(ctl.io.clock);
  try {
    const passes = await ApplyPasses.open(ctl, call, sources);
    while (!ending.signal.aborted) {
      const isComplete = await passes.run();
      if (ending.signal.aborted) return;
      const waiting = isComplete
        ? ending.signal
        : AbortSignal.any([ending.signal, AbortSignal.timeout(retryMs)]);
      await sources.changed(waiting);
    }
  } finally {
    ending.abort();
    release();
    interrupt.stop();
  }
}

function checkSources({ options: { filename } }: ApplyCall): void {
  if (filename.includes('-'))
    throw new CtlError('--watch follows files: the standard input is read once only');
  const url = filename.find((name) => /^https?:\/\//.test(name));
  if (url !== undefined) throw new CtlError(`--watch follows files, not URLs such as ${url}`);
}

/** Applies the same files again and again, each time what is not yet on the server as it is in them. */
class ApplyPasses {
  readonly #ctl: Ctl;
  readonly #plan: ApplyPlan;
  readonly #sources: SourceWatch;
  /** By kind, namespace and name. */
  #done = new Map<string, AppliedObject>();
  #counts = new Map<string, number>();
  /** Whether something may have to be pruned. */
  #isPruneDue = true;

  private constructor(plan: ApplyPlan, sources: SourceWatch) {
    this.#ctl = plan.ctl;
    this.#plan = plan;
    this.#sources = sources;
  }

  /** @throws CtlError, ClientConfigError for what no change of the files can mend */
  static async open(ctl: Ctl, call: ApplyCall, sources: SourceWatch): Promise<ApplyPasses> {
    await ctl.client();
    const print = await createReporter(ctl, call.options, { dryRun: call.dryRun });
    let passes: ApplyPasses | undefined;
    const report = (change: Change): void => {
      passes?.count(change);
      print(change);
    };
    passes = new ApplyPasses(await planApply(ctl, call, report), sources);
    return passes;
  }

  count({ operation }: Change): void {
    this.#counts.set(operation, (this.#counts.get(operation) ?? 0) + 1);
  }

  /** Applies what is to be applied, and sums up. False when it is worth another attempt. */
  async run(): Promise<boolean> {
    this.#counts = new Map();
    const errors: unknown[] = [];
    try {
      errors.push(...(await this.#apply()));
    } catch (error) {
      errors.push(error);
    }
    if (this.#ctl.io.signal.aborted) return true;
    const { stderr } = this.#ctl.io;
    for (const error of errors) stderr.write(formatError(error));
    this.#sumUp(errors.length);
    return !errors.some(mayPass);
  }

  async #apply(): Promise<readonly unknown[]> {
    this.#sources.clear();
    const sent = new Set<string>();
    const { applied, errors } = await applyFiles(this.#plan, {
      onRead: (path) => this.#sources.add(path),
      recall: (target) => {
        const key = keyOf(target);
        const known = this.#done.get(key);
        // Where several files hold the same object, the last one wins, as whenever files are applied.
        const isSame = !sent.has(key) && isDeepStrictEqual(known?.target.object, target.object);
        if (!isSame) sent.add(key);
        return isSame ? known : undefined;
      },
    });
    const before = this.#done;
    const now = new Map(applied.map((one) => [keyOf(one.target), one] as const));
    if (errors.length > 0) {
      // What is in a file that cannot be read may still be there; what could not be applied is sent again in any case.
      const kept = Array.from(before).filter(([key]) => !sent.has(key));
      this.#done = new Map([...kept, ...now]);
      this.#isPruneDue = true;
      return errors;
    }
    this.#done = now;
    await this.#takeLeave(
      Array.from(before).flatMap(([key, one]) => (now.has(key) ? [] : [one])),
      applied,
    );
    return [];
  }

  /** Deletes what is in no file any more, or says that it stays. */
  async #takeLeave(missing: readonly AppliedObject[], applied: readonly AppliedObject[]): Promise<void> {
    const { options, dryRun } = this.#plan;
    if (options.prune) {
      this.#isPruneDue ||= missing.length > 0;
      if (!this.#isPruneDue) return;
      const gone = await pruneFiles(this.#plan, applied);
      this.#isPruneDue = false;
      if (options.wait && dryRun === 'none') await waitForAll(this.#ctl, gone, options.timeoutMs);
      return;
    }
    for (const { target } of missing) {
      const name = formatObjectName({ ...target.resource, name: target.name });
      this.#ctl.io.stderr.write(
        `${name} is in no file any more and stays as it is: --prune would delete it\n`,
      );
    }
  }

  /** One line for each time that something was done or went wrong. */
  #sumUp(failures: number): void {
    const { stdout, stderr, clock } = this.#ctl.io;
    const parts = Array.from(this.#counts, ([operation, count]) => `${count} ${operation}`);
    if (failures > 0) parts.push(`${failures} failed`);
    if (parts.length === 0) return;
    // Objects that are printed are for programs.
    const output = this.#plan.options.output ? stderr : stdout;
    const time = new Date(clock.nowMs()).toTimeString().slice(0, 8);
    output.write(`${time} ${parts.join(', ')}${dryRunNote(this.#plan.dryRun)}\n`);
  }
}

/** Whether what went wrong may go well without a change of the files. */
function mayPass(error: unknown): boolean {
  if (error instanceof CombinedError) return error.errors.some(mayPass);
  return isPassing(error) || (error instanceof Error && mayPass(error.cause));
}

const keyOf = ({ resource, namespace, name }: ManifestTarget): string =>
  `${typeName(resource)}/${namespace}/${name}`;
