import { untilStopSignal } from './stop-signals.ts';

/** Aborts at the first SIGTERM or SIGINT, so that a command can remove what it began; a second one ends the process. */
export function interruptSignal(): AbortSignal {
  const aborter = new AbortController();
  void untilStopSignal().then((name) => aborter.abort(new Error(`interrupted by ${name}`)));
  return aborter.signal;
}
