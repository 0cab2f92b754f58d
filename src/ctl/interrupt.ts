import type { Ctl } from './ctl.ts';

/** For commands that are meant to end by an interrupt: `came` resolves then, until `stop` is called. */
export function watchInterrupt({ io }: Ctl): { readonly came: Promise<'interrupted'>; stop(): void } {
  const { promise: came, resolve } = Promise.withResolvers<'interrupted'>();
  const finish = (): void => resolve('interrupted');
  process.on('SIGINT', finish);
  if (io.signal.aborted) finish();
  else io.signal.addEventListener('abort', finish, { once: true });
  return {
    came,
    stop() {
      process.off('SIGINT', finish);
      io.signal.removeEventListener('abort', finish);
    },
  };
}
