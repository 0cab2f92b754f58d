import type { Clock } from '../base/index.ts';
import { type Discovery, fetchDiscovery, type TaggedDiscovery } from '../client/discovery/index.ts';
import type { RestClient } from '../client/rest/index.ts';

/** What the server serves, asked for as seldom as correctness allows. */
export interface DiscoveryReader {
  /** Discovery as it was at `sinceMs` (clock time) or later. @throws as `fetchDiscovery`. */
  read(sinceMs: number): Promise<Discovery>;
}

/** A reader that the controllers share, so that one answer serves all who ask at about the same time. */
export function createDiscoveryReader(options: {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** As the client's `FetchDiscoveryOptions` has it. */
  readonly aggregatedGroup?: string | undefined;
}): DiscoveryReader {
  const { client, clock, signal, aggregatedGroup } = options;
  let known: TaggedDiscovery | undefined;
  const fetch = async (): Promise<Discovery> => {
    const fetched = await fetchDiscovery(client, { aggregatedGroup, known, signal });
    known = fetched.discovery.failures.length === 0 ? fetched : undefined;
    return fetched.discovery;
  };
  let current: { readonly startedAtMs: number; readonly result: Promise<Discovery> } | undefined;
  return {
    read(sinceMs) {
      if (current !== undefined && current.startedAtMs >= sinceMs) return current.result;
      const asked = { startedAtMs: clock.nowMs(), result: fetch() };
      current = asked;
      asked.result.then(
        ({ failures }) => {
          // An answer with holes may be complete the next time.
          if (failures.length > 0 && current === asked) current = undefined;
        },
        () => {
          if (current === asked) current = undefined;
        },
      );
      return asked.result;
    },
  };
}
