import type { Readable } from 'node:stream';
import { keepProcessAlive } from '../../base/index.ts';
import type { CtlIo, TerminalSize } from '../io.ts';
import type { View } from './compose-frame.ts';
import { clearScreen, paint } from './paint.ts';

/** Shortest time between two pictures. */
const minFrameMs = 100;
/** A terminal that took long to take a picture gets so many times as long before the next. */
const restFactor = 4;
const tickMs = 1000;

/** What a screen shows, and where. */
export interface LiveScreenOptions {
  /** Called for each drawing. */
  readonly compose: (view: View) => readonly string[];
  /** At first. */
  readonly size: TerminalSize;
  /** Called when nobody sees what is drawn any more. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Draws a picture on the terminal whenever it changed, and once a second for what goes on by itself. Changes that come close
 * together are drawn as one. The cursor stays below the picture and is visible between two drawings, so that a process that
 * is ended at any moment leaves the terminal as it should be.
 */
export class LiveScreen {
  readonly #io: Pick<CtlIo, 'stdout' | 'input' | 'clock'>;
  readonly #compose: (view: View) => readonly string[];
  readonly #onFailure: (error: unknown) => void;
  #shown: readonly string[] = [];
  #size: TerminalSize;
  #nextFrameAtMs = 0;
  #cancelTick = () => {};
  #isStopped = false;
  #cancelFrame: (() => void) | undefined;
  readonly #undo: (() => void)[] = [];

  constructor(
    io: Pick<CtlIo, 'stdout' | 'input' | 'clock'>,
    { compose, size, onFailure }: LiveScreenOptions,
  ) {
    this.#io = io;
    this.#compose = compose;
    this.#size = size;
    this.#onFailure = onFailure;
  }

  start(): void {
    const { input } = this.#io;
    const resume = (): void => this.#beginBelow();
    process.on('SIGCONT', resume);
    this.#undo.push(
      // Also while a server is waited for.
      keepProcessAlive(),
      () => this.#cancelTick(),
      () => process.off('SIGCONT', resume),
      input.onResize(() => this.#resize()),
    );
    if (input.isTerminal) this.#followKeys(input.open());
    this.#tick();
  }

  #tick(): void {
    this.update();
    this.#cancelTick = this.#io.clock.setTimer(tickMs, () => this.#tick());
  }

  /** Asks for a picture, which is drawn soon. */
  update(): void {
    if (this.#isStopped || this.#cancelFrame !== undefined) return;
    const delayMs = Math.max(0, this.#nextFrameAtMs - this.#io.clock.nowMs());
    this.#cancelFrame = this.#io.clock.setTimer(delayMs, () => this.#draw());
  }

  /** Draws what there is last, and leaves the terminal. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelFrame?.();
    for (const undo of this.#undo.splice(0)) undo();
    this.#write(this.#compose({ size: this.#size, nowMs: this.#io.clock.nowMs(), isLast: true }));
  }

  #draw(before = ''): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    try {
      if (before !== '') this.#io.stdout.write(before);
      this.#write(this.#compose({ size: this.#size, nowMs: this.#io.clock.nowMs() }));
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #write(lines: readonly string[]): void {
    const { clock, stdout } = this.#io;
    const text = paint(this.#shown, lines);
    this.#shown = lines;
    if (text === '') return;
    const startedAtMs = clock.nowMs();
    stdout.write(text);
    const endedAtMs = clock.nowMs();
    this.#nextFrameAtMs = endedAtMs + Math.max(minFrameMs, restFactor * (endedAtMs - startedAtMs));
  }

  /** Terminals differ in what they do to lines that no longer fit: only an empty screen is known. */
  #resize(): void {
    this.#size = this.#io.input.size() ?? this.#size;
    this.#shown = [];
    this.#draw(clearScreen);
  }

  /** What was drawn stays, and the picture goes on below. */
  #beginBelow(): void {
    this.#shown = [];
    this.#draw();
  }

  /** The return key moves the cursor, which the next picture must know. */
  #followKeys(keys: Readable): void {
    const onKeys = (): void => this.#beginBelow();
    keys.on('data', onKeys);
    keys.on('error', () => {}); // a terminal that cannot be read has no return key
    this.#undo.push(() => keys.destroy());
  }
}
