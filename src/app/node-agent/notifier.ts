/** One handler for each declared notice. */
export type Handlers<N extends Notices<N>> = {
  readonly [K in keyof N]: (...details: N[K]) => void;
};

/** Notices by name, with what each carries. */
export type Notices<N> = { readonly [K in keyof N]: readonly unknown[] };

/**
 * Carries notices between parts that are built one after the other: whoever notifies needs to know nobody. All handlers
 * are connected at once, before anything is started; one that is left out does not compile.
 */
export class Notifier<N extends Notices<N>> {
  #handlers: Handlers<N> | undefined;

  /** @throws Error when handlers are connected already */
  connect(handlers: Handlers<N>): void {
    if (this.#handlers !== undefined) throw new Error('the handlers of notices are connected already');
    this.#handlers = handlers;
  }

  /** Calls the handler before it returns. @throws Error when no handlers are connected yet, else as the handler */
  notify<K extends keyof N>(name: K, ...details: N[K]): void {
    if (this.#handlers === undefined) throw new Error(`notice before anybody listens: ${String(name)}`);
    this.#handlers[name](...details);
  }
}
