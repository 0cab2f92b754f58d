import { basename, dirname } from 'node:path';
import { type Clock, PathWatch } from '../../base/index.ts';

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
  /** Files whose change is checked at once, as far as the system announces it. */
  readonly files?: readonly string[];
  readonly clock: Clock;
}

/** Keeps certificates of a running server fresh until the returned function is called. */
export function keepFresh<Fresh>(options: KeepFreshOptions<Fresh>): () => void {
  const { refresh, onRenewed, onError, everyMs, clock } = options;
  let isStopped = false;
  let running: Promise<void> | undefined;
  let isDueAgain = false;
  let cancel = () => {};
  const check = async () => {
    try {
      const fresh = await refresh();
      if (fresh !== undefined && !isStopped) onRenewed(fresh);
    } catch (error) {
      onError(error);
    }
  };
  const run = async () => {
    do {
      isDueAgain = false;
      await check();
    } while (isDueAgain && !isStopped);
    running = undefined;
    schedule();
  };
  const begin = () => {
    cancel();
    if (running === undefined) running = run();
    else isDueAgain = true;
  };
  const watches = new FileWatches(options.files ?? [], clock, begin);
  const schedule = () => {
    if (isStopped) return;
    watches.renew();
    cancel = clock.setTimer(everyMs, begin);
  };
  schedule();
  return () => {
    isStopped = true;
    cancel();
    watches.close();
  };
}

/** Watches the folders of files: a file that is replaced is another one. */
class FileWatches {
  readonly #watches = new Map<string, { readonly names: Set<string>; readonly watch: PathWatch }>();

  constructor(files: readonly string[], clock: Clock, onChange: () => void) {
    for (const file of files) {
      const folder = dirname(file);
      const known = this.#watches.get(folder) ?? {
        names: new Set<string>(),
        watch: new PathWatch({ onChange, clock }),
      };
      known.names.add(basename(file));
      this.#watches.set(folder, known);
    }
  }

  /** Watches folders that are new, too. Mounted secrets are replaced by a link whose name begins with two dots. */
  renew(): void {
    for (const [folder, { names, watch }] of this.#watches)
      watch.set(folder, (name) => names.has(name) || name.startsWith('..'));
  }

  close(): void {
    for (const { watch } of this.#watches.values()) watch[Symbol.dispose]();
  }
}
