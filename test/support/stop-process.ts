import { readdirSync, readFileSync } from 'node:fs';

const longestWaitMs = 5000;
const pauseMs = 1;

/** How threads are that run no more: stopped, or ended. */
const still = 'TZX';

/** Stops a process until it gets SIGCONT. None of its threads runs any more when this returns, as each may for a moment. */
export function stopProcess(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  const lateAt = performance.now() + longestWaitMs;
  while (!threadStates(pid).every((state) => still.includes(state)) && performance.now() < lateAt) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

function threadStates(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((thread) => {
    try {
      const text = readFileSync(`${folder}/${thread}/stat`, 'utf8');
      // After the program's name in parentheses, which may hold blanks.
      return text.slice(text.lastIndexOf(')') + 2).charAt(0);
    } catch {
      return 'X'; // it has ended meanwhile
    }
  });
}
