import type { Clock } from '../../base/index.ts';
import type { KeyPair } from './key-pair.ts';

/** Checks every ten minutes: soon enough for a new host address, and far from any expiry. */
const checkEveryMs = 600_000;

/** What `keepServingCertificate` watches over. */
export interface KeepServingOptions {
  /** Returns the certificate when it is a new one, as `Pki.refreshServing` or a reader of files does. */
  readonly refresh: () => Promise<KeyPair | undefined>;
  /** Called with each new certificate; the server then uses it for new connections. */
  readonly onRenewed: (pair: KeyPair) => void;
  /** Called when a check fails; the next one comes as usual. */
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
}

/** Keeps a running server's certificate fresh until the returned function is called. */
export function keepServingCertificate({
  refresh,
  onRenewed,
  onError,
  clock,
}: KeepServingOptions): () => void {
  let isStopped = false;
  let cancel = () => {};
  const schedule = () => {
    if (!isStopped) cancel = clock.setTimer(checkEveryMs, () => void check());
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
