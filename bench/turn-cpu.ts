/** How often is looked; shorter turns count together. */
const resolutionMs = 2;

/** Tells the CPU time that the thread has taken in one turn of its event loop. */
export interface TurnCpuMonitor {
  /** Most of the turns since the last call, in milliseconds, known to about 2 ms. */
  takeMaxMs(): number;
}

/**
 * Watches this thread. Beside the time on the clock this says how much of a long turn was the thread's own work: on a
 * machine that others use it is kept from running as well.
 */
export function monitorTurnCpu(): TurnCpuMonitor {
  let last = threadCpuMs();
  let maxMs = 0;
  const look = (): void => {
    const now = threadCpuMs();
    maxMs = Math.max(maxMs, now - last);
    last = now;
  };
  // A timer that is due runs once in each turn.
  setInterval(look, resolutionMs).unref();
  return {
    takeMaxMs() {
      look();
      const taken = maxMs;
      maxMs = 0;
      return taken;
    },
  };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
