import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type Clock, type Logger, pause } from '../../base/index.ts';

/** A process that the kernel killed because the machine as a whole was out of memory. */
export interface SystemOom {
  readonly processName: string;
  readonly pid: number;
}

/** How often the kernel's log is read; it does not tell when there is something new. */
const periodMs = 10_000;
/** The longest record of the kernel's log. */
const maxRecordBytes = 8192;
/** Records that are read in one turn of the event loop. */
const maxRecordsAtOnce = 500;
const maxNameLetters = 64;

const begins = /invoked oom-killer:/;
const groupLine =
  /oom-kill:constraint=.*,nodemask=.*,cpuset=.*,mems_allowed=.*,oom_memcg=(.*),task_memcg=.*,task=(.*),pid=(\d+),uid=/;
const olderGroupLine = /Task in .* killed as a result of limit of (.*)$/;
const killed = /Killed process (\d+) \((.+)\)/;

/**
 * Finds in the lines of the kernel's log, one after the other, who was killed although no control group was at its limit.
 * Source: the parser of the metrics agent of release 1.20, for the forms of kernels before and since 5.0.
 */
export class OomReader {
  /** The group that was at its limit; undefined while no kill is told. */
  #group: string | undefined;

  take(message: string): SystemOom | undefined {
    if (begins.test(message)) this.#group = '/';
    if (this.#group === undefined) return undefined;
    const inGroup = groupLine.exec(message);
    if (inGroup !== null) return this.#finish(inGroup[1] ?? '', inGroup[2], inGroup[3]);
    this.#group = olderGroupLine.exec(message)?.[1] ?? this.#group;
    const end = killed.exec(message);
    return end === null ? undefined : this.#finish(this.#group, end[2], end[1]);
  }

  #finish(group: string, name = '', pid = ''): SystemOom | undefined {
    this.#group = undefined;
    return group === '/' ? { processName: name.slice(0, maxNameLetters), pid: Number(pid) } : undefined;
  }
}

/** The kernel's log, and who is told of what is found in it. */
export interface SystemOomOptions {
  readonly onOom: (oom: SystemOom) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Opens the log; a read gives the next record, undefined when there is none now. That of the machine when left out. */
  readonly open?: (() => KernelLog) | undefined;
}

/** The kernel's log, read from its oldest record on. */
export interface KernelLog extends Disposable {
  read(): string | undefined;
}

/** Follows the kernel's log from now on until the signal aborts. Never rejects: a machine may not show its log. */
export async function watchSystemOoms(options: SystemOomOptions): Promise<void> {
  const { onOom, clock, logger, signal, open = openKernelLog } = options;
  try {
    using log = open();
    // What was there before has been told by an agent before, if ever.
    await readAll(log, () => {}, signal);
    const reader = new OomReader();
    while (await pause(clock, periodMs, signal)) {
      await readAll(
        log,
        (message) => {
          const oom = reader.take(message);
          if (oom !== undefined) onOom(oom);
        },
        signal,
      );
    }
  } catch (error) {
    logger.info('kernel log not readable, SystemOOM events will not be recorded', { error });
  }
}

async function readAll(log: KernelLog, take: (message: string) => void, signal: AbortSignal): Promise<void> {
  for (let count = 1; !signal.aborted; count++) {
    const record = log.read();
    if (record === undefined) return;
    // What stands before the first semicolon is about the message.
    take(record.slice(record.indexOf(';') + 1).split('\n', 1)[0] ?? '');
    if (count % maxRecordsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Source: the kernel's `Documentation/ABI/testing/dev-kmsg`. @throws Error when it cannot be opened */
function openKernelLog(): KernelLog {
  const file = openSync('/dev/kmsg', constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(maxRecordBytes);
  return {
    read() {
      for (;;) {
        try {
          return buffer.toString('utf8', 0, readSync(file, buffer));
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? error.code : undefined;
          if (code === 'EAGAIN') return undefined;
          if (code !== 'EPIPE') throw error; // EPIPE: records were overwritten, the next read goes on behind them
        }
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
