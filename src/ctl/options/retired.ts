import type { OptionSpec } from '../../config/index.ts';

/** A flag that earlier clients had. */
export const retiredOption = <const N extends string>(name: N) =>
  ({
    name,
    type: 'string',
    section: 'Object',
    hidden: true,
    withoutEffect: true,
    reason: 'it has been deprecated and will be removed',
    help: 'Has no effect.',
  }) as const satisfies OptionSpec;
