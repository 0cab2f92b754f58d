import type { Machine } from './machine.ts';

/** Where the facts are read from; another root is for tests. */
export interface ReadMachineOptions {
  /** `/` when left out. */
  readonly root?: string | undefined;
}

/** Reads what the machine is. What cannot be read is empty or 0. */
export function readMachine(_options: ReadMachineOptions = {}): Promise<Machine> {
  return Promise.reject(new Error('not yet'));
}
