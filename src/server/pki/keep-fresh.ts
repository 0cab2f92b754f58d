import type { Clock } from '../../base/index.ts';

/** What `keepFresh` watches over. */
export interface KeepFreshOptions<Fresh> {
  /** Returns what is new, as `Pki.refreshServing` or a reader of files does; undefined when nothing is. */
  readonly refresh: () => Promise<Fresh | undefined>;
  /** Called with what is new; the server uses it from then on. */
  readonly onRenewed: (fresh: Fresh) => void;
  /** Called when a check fails; the next one comes as usual. */
  readonly onError: (error: unknown) => void;
  /** Time between the end of a check and the next one, in ms. */
  readonly everyMs: number;
  readonly clock: Clock;
}

/** Keeps certificates of a running server fresh until the returned function is called. */
export function keepFresh<Fresh>(options: KeepFreshOptions<Fresh>): () => void {
  const { refresh, onRenewed, onError, everyMs, clock } = options;
  let isStopped = false;
  let cancel = () => {};
  const schedule = () => {
    if (!isStopped) cancel = clock.setTimer(everyMs, () => void check());
  };
  const check = async () => {
    try {
      const fresh = await refresh();
      if (fresh !== undefined && !isStopped) onRenewed(fresh);
    } catch (error) {
      onError(error);
    }
    schedule();
  };
  schedule();
  return () => {
    isStopped = true;
    cancel();
  };
}
