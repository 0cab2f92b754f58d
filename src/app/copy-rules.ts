import type { CopyOptions } from '../storage/index.ts';

/** Where keys begin in a database: what a server without flags expects. */
export const databaseRoot = '/registry/';

/** How long events live unless a server is told otherwise: an hour, as with the reference. */
const eventTtlSeconds = 3600;

/**
 * How the objects of an API below `root` are copied. Leases of servers stay behind: signs of life, a few seconds long,
 * that would name servers which are not there. The contract does not tell what is left of a key's time to live, so
 * events begin theirs anew, or stay behind too.
 */
export function copyRules({
  root,
  withEvents,
}: {
  readonly root: string;
  readonly withEvents: boolean;
}): Required<Pick<CopyOptions, 'root' | 'skip' | 'ttlSecondsOf'>> {
  const [leases, events] = [`${root}masterleases/`, `${root}events/`];
  return {
    root,
    skip: withEvents ? [leases] : [leases, events],
    ttlSecondsOf: (key) => (key.startsWith(events) ? eventTtlSeconds : undefined),
  };
}
