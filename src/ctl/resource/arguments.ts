import { CtlError } from '../errors.ts';

/** What the arguments of a verb select. */
export type Selection =
  /** `pods,services` or `pods a b`: types, or the names wanted of one type. */
  | { readonly kind: 'types'; readonly types: readonly string[]; readonly names: readonly string[] }
  /** `pod/a service/b`, or `pod,service a`. */
  | { readonly kind: 'pairs'; readonly pairs: readonly { readonly type: string; readonly name: string }[] }
  | { readonly kind: 'nothing' };

/** Flags that select beside the arguments. */
export interface SelectionFlags {
  /** No names go with it. */
  readonly hasSelector: boolean;
  readonly hasFiles: boolean;
}

/**
 * Reads `TYPE[,TYPE...] [NAME...]` or `TYPE/NAME...`.
 *
 * @throws CtlError as release 1.20 words it when the parts do not go together.
 */
export function parseSelection(args: readonly string[], flags: SelectionFlags): Selection {
  const words = joinCommaLists(args);
  if (flags.hasFiles) {
    if (words.length === 0) return { kind: 'nothing' };
    throw new CtlError(
      words.every((word) => word.includes('/'))
        ? 'resource/name arguments cannot be provided when a path is specified'
        : 'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    );
  }
  const slashes = words.filter((word) => word.includes('/')).length;
  if (slashes > 0 && slashes < words.length) {
    throw new CtlError(
      `there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'ctl get resource/<resource_name>' instead of 'ctl get resource resource/<resource_name>'`,
    );
  }
  if (slashes > 0) return readPairs(words, flags);
  const [types, ...names] = words;
  if (types === undefined) return { kind: 'nothing' };
  if (names.length > 0 && flags.hasSelector) {
    throw new CtlError('name cannot be provided when a selector is specified');
  }
  const list = types === '' && names.length === 0 ? [''] : splitTypes(types);
  // Several types and names mean each name of each type.
  if (names.length > 0 && list.length > 1) {
    return { kind: 'pairs', pairs: list.flatMap((type) => names.map((name) => ({ type, name }))) };
  }
  return { kind: 'types', types: list, names };
}

function readPairs(words: readonly string[], flags: SelectionFlags): Selection {
  if (flags.hasSelector) {
    throw new CtlError('selectors and the all flag cannot be used when passing resource/name arguments');
  }
  const pairs = words.map((word) => {
    const [type = '', name = '', ...rest] = word.split('/');
    if (rest.length > 0)
      throw new CtlError('arguments in resource/name form may not have more than one slash');
    if (type === '' || name === '' || splitTypes(type).length !== 1) {
      throw new CtlError('arguments in resource/name form must have a single resource and name');
    }
    return { type, name };
  });
  return { kind: 'pairs', pairs };
}

/** `pods, services` typed with a blank is one list. */
function joinCommaLists(args: readonly string[]): readonly string[] {
  if (args.length < 2 || !args[0]?.endsWith(',')) return args;
  return [args[0] + args[1], ...args.slice(2)];
}

function splitTypes(text: string): string[] {
  const types = text.split(',');
  return [...new Set(types.map((type) => type.trim()))].filter((type) => type !== '');
}
