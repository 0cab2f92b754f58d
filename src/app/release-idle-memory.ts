import { Script } from 'node:vm';

const usualPeriodMs = 4000;

/**
 * Has V8 give back, within about half a minute of rest, the memory that a burst of work left behind; until disposed of. Does not
 * keep the process alive.
 *
 * V8's memory reducer (`src/heap/memory-reducer.h` of V8) collects in small steps and returns pages once a program allocates
 * little. It takes a time in which nothing at all came into the old generation for one that it knows nothing of, and waits
 * on: so it never acts in a server at rest. Compiled code is allocated there, and some hundred bytes of it now and then
 * are a rate that is known, and low.
 */
export function releaseIdleMemory({ periodMs = usualPeriodMs } = {}): Disposable {
  let count = 0;
  // The text differs each time, or the code would come from the cache of the compiler.
  const timer = setInterval(() => new Script(`${count++}`), periodMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
