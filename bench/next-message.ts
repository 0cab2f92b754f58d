import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The next message of a process, `name` for people. Listens no longer than that. @throws Error when it ends instead. */
export async function nextMessage(child: ChildProcess, name: string): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${name} ended`);
  });
  const message = once(child, 'message', { signal });
  try {
    return (await Promise.race([message, ended]))[0];
  } finally {
    over.abort();
    await Promise.allSettled([message, ended]);
  }
}
