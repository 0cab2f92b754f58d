/**
 * Resolves with the name of the first SIGTERM or SIGINT. After it a second one ends the process at once with the exit
 * code that shells use for that signal.
 */
export function untilStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let count = 0;
    const onSignal = (signal: NodeJS.Signals) => {
      count += 1;
      if (count > 1) process.exit(signal === 'SIGINT' ? 130 : 143);
      resolve(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/** Aborts at the first SIGTERM or SIGINT, so that a command can remove what it began; a second one ends the process. */
export function interruptSignal(): AbortSignal {
  const aborter = new AbortController();
  void untilStopSignal().then((name) => aborter.abort(new Error(`interrupted by ${name}`)));
  return aborter.signal;
}
