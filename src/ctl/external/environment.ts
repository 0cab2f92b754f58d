import type { Ctl } from '../ctl.ts';

/** A variable of the environment in the dialect's spelling, else in the default one; undefined when empty. */
export function readVariable({ io, dialect }: Pick<Ctl, 'io' | 'dialect'>, name: string): string | undefined {
  return io.env[dialect.spell(name)] || io.env[name] || undefined;
}
