/** A stream whose frames may wait for a moment. */
export interface PacedStream {
  /** Sends what waits; false when nothing did. */
  flush(): boolean;
}

/** What the pacer needs of the event loop; tests have their own. */
export interface PacerTurns {
  /** Runs `step` at the end of the present turn. */
  atEndOfTurn(step: () => void): void;
  /** Runs `step` after other work had its turn. */
  afterOthers(step: () => void): void;
  /** Runs `step` once the event loop has been free for other work so long. */
  afterPause(step: () => void, pauseMs: number): void;
  /** A clock for spans, in milliseconds. */
  nowMs(): number;
}

/** How long frames of a busy stream are gathered at least, on top of a first millisecond. */
const shortestPauseMs = 4;
/** A long round is followed by an equally long pause, so that half of the time is left for other work; up to this. */
const longestPauseMs = 40;
/** How long flushing may keep other work waiting. */
const sliceMs = 8;

const eventLoop: PacerTurns = {
  atEndOfTurn: (step) => process.nextTick(step),
  afterOthers: (step) => void setImmediate(step),
  // Timers count from when their turn began. A second one counts from the end of a turn that took long.
  afterPause: (step, pauseMs) => void setTimeout(() => setTimeout(step, pauseMs), 1),
  nowMs: () => performance.now(),
};

/**
 * Decides when the frames of all streams go out, since most of what a frame costs is the system call that sends it. A
 * stream that was quiet sends at the end of the turn. After that, what comes for it is gathered and goes out with one
 * write per round, in one round for all streams, about 5 ms apart, until it is quiet again for one round.
 */
export class FlushPacer {
  readonly #turns: PacerTurns;
  /** Streams that were quiet and go out with this turn. */
  #due = new Set<PacedStream>();
  /** Streams that wait for the next round, or are watched for whether they have become quiet. */
  #paced = new Set<PacedStream>();
  #isFlushing = false;
  #isPaused = false;
  /** Time that the present or last round has taken for itself. */
  #roundMs = 0;

  constructor(turns: PacerTurns = eventLoop) {
    this.#turns = turns;
  }

  /** Says that a stream has something to send. */
  request(stream: PacedStream): void {
    if (this.#paced.has(stream)) return;
    this.#due.add(stream);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#turns.atEndOfTurn(() => this.#flushDue());
  }

  #flushDue(): void {
    const startedAt = this.#turns.nowMs();
    for (const stream of this.#due) {
      this.#due.delete(stream);
      if (stream.flush()) this.#paced.add(stream);
      if (this.#due.size > 0 && this.#turns.nowMs() - startedAt > sliceMs) {
        this.#turns.afterOthers(() => this.#flushDue());
        return;
      }
    }
    this.#isFlushing = false;
    this.#pause();
  }

  #pause(): void {
    if (this.#isPaused || this.#paced.size === 0) return;
    this.#isPaused = true;
    const pauseMs = Math.min(Math.max(this.#roundMs, shortestPauseMs), longestPauseMs);
    this.#roundMs = 0;
    this.#turns.afterPause(() => this.#round(this.#paced.values()), pauseMs);
  }

  #round(streams: Iterator<PacedStream>): void {
    const startedAt = this.#turns.nowMs();
    let spentMs = 0;
    for (let next = streams.next(); next.done !== true; next = streams.next()) {
      if (!next.value.flush()) this.#paced.delete(next.value);
      spentMs = this.#turns.nowMs() - startedAt;
      if (spentMs > sliceMs) break;
    }
    this.#roundMs += spentMs;
    if (spentMs > sliceMs) {
      this.#turns.afterOthers(() => this.#round(streams));
      return;
    }
    this.#isPaused = false;
    this.#pause();
  }
}
