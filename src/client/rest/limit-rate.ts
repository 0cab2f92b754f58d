import type { Clock } from '../../base/index.ts';
import type { RestClient } from './client.ts';

export interface RateLimit {
  /** Requests per second in the long run; not limited when not positive. */
  readonly perSecond: number;
  /** Requests that may come at once. */
  readonly burst: number;
  readonly clock: Clock;
}

/** The same client, whose requests wait for their turn, first come first served. */
export function limitRate(client: RestClient, { perSecond, burst, clock }: RateLimit): RestClient {
  if (!(perSecond > 0)) return client;
  const gapMs = 1000 / perSecond;
  const allowanceMs = Math.max(0, burst - 1) * gapMs;
  /** When the next request would be due if requests came evenly. */
  let dueAtMs = 0;
  const turn = async (): Promise<void> => {
    const nowMs = clock.nowMs();
    const atMs = Math.max(nowMs, dueAtMs - allowanceMs);
    dueAtMs = Math.max(nowMs, dueAtMs) + gapMs;
    if (atMs > nowMs) await new Promise<void>((resolve) => clock.setTimer(atMs - nowMs, resolve));
  };
  return {
    ...client,
    server: client.server,
    async send(request) {
      await turn();
      return client.send(request);
    },
    async json<T>(request: Parameters<RestClient['json']>[0]) {
      await turn();
      return client.json<T>(request);
    },
    async stream(request) {
      await turn();
      return client.stream(request);
    },
    close: () => client.close(),
  };
}
