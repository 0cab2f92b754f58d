import { ownValue } from '../../base/index.ts';
import { CtlError } from '../errors.ts';

/** Keys to set and keys to take away. */
export interface KeyChanges {
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

/** Arguments of `label` and `annotate`: first what to change, then how. */
export interface SplitArguments {
  readonly resources: readonly string[];
  readonly pairs: readonly string[];
}

/** Separates `pod web` from `a=1 b-`. @throws CtlError when a resource follows a pair */
export function splitArguments(args: readonly string[], what: string): SplitArguments {
  const isPair = (text: string) => text.indexOf('=') > 0 || (text.endsWith('-') && text.length > 1);
  const firstPair = args.findIndex(isPair);
  const at = firstPair < 0 ? args.length : firstPair;
  const stray = args.slice(at).find((text) => !isPair(text));
  if (stray !== undefined)
    throw new CtlError(`all resources must be specified before ${what} changes: ${stray}`);
  return { resources: args.slice(0, at), pairs: args.slice(at) };
}

/** Reads `key=value` and `key-`. @throws CtlError when a key is both set and removed, and for a label of two values */
export function parseChanges(pairs: readonly string[], what: string): KeyChanges {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (what === 'label' && equals !== pair.lastIndexOf('='))
      throw new CtlError(`invalid label spec: ${pair}`);
    if (equals > 0) set.set(pair.slice(0, equals), pair.slice(equals + 1));
    else remove.push(pair.slice(0, -1));
  }
  const both = remove.filter((key) => set.has(key));
  if (both.length > 0) {
    const keys = what === 'label' ? 'a label' : 'the following annotation(s)';
    const names = what === 'label' ? '' : `: ${both.join(', ')}`;
    throw new CtlError(`can not both modify and remove ${keys} in the same command${names}`);
  }
  return { set, remove };
}

/** Keys to set that are there already, whatever their value. */
export function findOverwritten(
  current: Readonly<Record<string, string>>,
  { set }: KeyChanges,
): readonly { readonly key: string; readonly value: string }[] {
  return [...set.keys()].flatMap((key) => {
    const old = ownValue(current, key);
    return old === undefined ? [] : [{ key, value: old }];
  });
}

/** The members of a merge patch that carry out the changes; undefined when there is nothing to change. */
export function toMergePatch(
  current: Readonly<Record<string, string>>,
  { set, remove }: KeyChanges,
): Record<string, string | null> | undefined {
  const entries: [string, string | null][] = [
    ...[...set].filter(([key, value]) => !Object.hasOwn(current, key) || current[key] !== value),
    ...remove.filter((key) => Object.hasOwn(current, key)).map((key): [string, null] => [key, null]),
  ];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
