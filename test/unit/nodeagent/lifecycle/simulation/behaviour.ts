/** What the process of a container does; its image says it, such as `app exit=1@500 term=never`. */
export interface Behaviour {
  /** Ends by itself so long after its start; runs for ever otherwise. */
  readonly exit: { readonly code: number; readonly afterMs: number } | undefined;
  /** How long it takes to end after the polite signal; undefined: does not heed it. */
  readonly termMs: number | undefined;
  /** Is found dead by its probe so long after its start. */
  readonly diesAfterMs: number | undefined;
}

export function readBehaviour(image: string): Behaviour {
  const words = new Map(image.split(' ').map((word) => word.split('=') as [string, string | undefined]));
  const [code, afterMs] = words.get('exit')?.split('@') ?? [];
  const term = words.get('term') ?? '0';
  const dies = words.get('dies');
  return {
    exit: code === undefined ? undefined : { code: Number(code), afterMs: Number(afterMs) },
    termMs: term === 'never' ? undefined : Number(term),
    diesAfterMs: dies === undefined ? undefined : Number(dies),
  };
}
