import type { CopyOptions } from '../storage/index.ts';
import { tokenKeyFolder } from './shared-token-key.ts';
import { trustFolder } from './shared-trust.ts';

/** Where keys begin in a database: what a server without flags expects. */
export const databaseRoot = '/registry/';

/** How long events live unless somebody says otherwise: an hour, as in release 1.20. */
const defaultEventTtlMs = 3_600_000;

/** What of a store is copied, and how long it lives there. */
export interface CopyRules {
  readonly root: string;
  readonly skip: readonly string[];
  readonly ttlSecondsOf: NonNullable<CopyOptions['ttlSecondsOf']>;
}

/**
 * How the objects of an API below `root` are copied. Leases of servers stay behind: signs of life, a few seconds long,
 * that would name servers which are not there. So do the key of the tokens of their lists, which end with them, and
 * whom they believe. The
 * contract does not tell what is left of a key's time to live, so events begin theirs anew, or stay behind too.
 */
export function copyRules({
  root,
  withEvents,
  eventTtlMs = defaultEventTtlMs,
}: {
  readonly root: string;
  readonly withEvents: boolean;
  /** How long events live from now on; 0 for ever. */
  readonly eventTtlMs?: number;
}): CopyRules {
  const eventTtlSeconds = eventTtlMs === 0 ? undefined : Math.ceil(eventTtlMs / 1000);
  const [leases, events] = [`${root}masterleases/`, `${root}events/`];
  const own = [leases, ...[tokenKeyFolder, trustFolder].map((folder) => `${root}${folder}`)];
  return {
    root,
    skip: withEvents ? own : [...own, events],
    ttlSecondsOf: (key) => (key.startsWith(events) ? eventTtlSeconds : undefined),
  };
}
