import type { ConfigOf } from '../../config/index.ts';
import { generatorOptions, createGenerated as send } from '../changes/generated.ts';
import type { Ctl } from '../ctl.ts';
import { UsageError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';

export { generatorOptions };

/** `--append-hash`. */
export const appendHashOption = {
  name: 'append-hash',
  type: 'bool',
  section: 'Object',
  help: 'Add a hash of the content to the name, so that other content is another object.',
} as const;

/** Creates an object that was made from flags and reports it. */
export async function createGenerated(
  ctl: Ctl,
  options: ConfigOf<typeof generatorOptions>,
  object: WireObject,
): Promise<void> {
  await send(ctl, options, { object, verb: 'create', operation: 'created' });
}

/** The one argument of such a command. @throws UsageError */
export function takeName(args: readonly string[]): string {
  const [name, ...rest] = args;
  if (name === undefined || rest.length > 0) {
    throw new UsageError(`exactly one NAME is required, got ${args.length}`);
  }
  return name;
}
