import type { ProgramIo } from './program-io.ts';

const pauseMs = 100;

/** A line on a terminal that says how far a command is; nothing elsewhere. */
export interface ProgressLine extends Disposable {
  /** Shows a text instead of the last one, at most ten times a second. */
  show(text: string): void;
}

/** Begins a progress line. Disposing of it clears it. */
export function startProgressLine(io: ProgramIo, nowMs: () => number = Date.now): ProgressLine {
  let shownAtMs = -Infinity;
  let width = 0;
  const write = (text: string): void => {
    io.err(`\r${text.padEnd(width)}`);
    width = text.length;
  };
  return {
    show(text) {
      if (io.isTerminal !== true || nowMs() - shownAtMs < pauseMs) return;
      shownAtMs = nowMs();
      write(text);
    },
    [Symbol.dispose]() {
      if (width === 0) return;
      write('');
      io.err('\r');
    },
  };
}
