/**
 * Loaded before all tests: the run fails when any program that they started has logged one of the secrets that they used. Files
 * that run by themselves are looked at as well.
 */
import { beginKeptLogs, endKeptLogs, flushKeptLogs, keptLogsFolder } from './kept-logs.ts';

// Processes that run tests beside this one inherit where logs are kept.
if (keptLogsFolder() === undefined) beginKeptLogs();

/** Each process writes down what it has kept after each file of tests. */
export const mochaHooks = { afterAll: flushKeptLogs };

/** @throws Error when a secret was logged. */
export function mochaGlobalTeardown(): void {
  const { bytes, secrets, logged } = endKeptLogs();
  if (logged.length === 0) {
    if (bytes > 0) console.log(`  no secret is logged: ${secrets} looked for in ${bytes >> 10} kB`);
    return;
  }
  const found = logged.map(({ secret, line }) => `${secret.slice(0, 6)}... in: ${line}`);
  // As the summary says it, for who reads nothing else.
  console.log('\n  1 failing: a secret is logged');
  throw new Error(`secrets were logged:\n${found.join('\n')}`);
}
