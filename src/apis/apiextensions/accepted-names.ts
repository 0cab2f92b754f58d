import type { CustomResourceDefinitionNames } from '../types/apiextensions-v1beta1.ts';

/** Tells whether a name is held. */
type NameTest = Pick<ReadonlySet<string>, 'has'>;

/** Names that definitions of a group hold. */
export interface HeldNames {
  /** Plural, singular and short names. */
  readonly resources: NameTest;
  /** Kinds and list kinds. */
  readonly kinds: NameTest;
}

/** What becomes of the names that a definition wants. */
export interface NameDecision {
  readonly accepted: CustomResourceDefinitionNames;
  /** The last conflict that was found; undefined when there is none. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

/**
 * Decides which names a definition holds: those that it wants and that nobody else has; where one is taken it keeps what it
 * had. Source: apiextensions, `controller/status/naming_controller`.
 *
 * @param held names of all definitions of the group, its own too
 */
export function decideNames(
  wanted: CustomResourceDefinitionNames,
  had: CustomResourceDefinitionNames,
  held: HeldNames,
): NameDecision {
  const accepted: CustomResourceDefinitionNames = { ...had };
  let conflict: NameDecision['conflict'];
  const problemOf = (name: string, own: string, used: NameTest): string | undefined =>
    name !== own && used.has(name) ? `"${name}" is already in use` : undefined;
  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: NameTest): void => {
    const name = wanted[field] ?? '';
    const message = problemOf(name, had[field] ?? '', used);
    if (message === undefined) accepted[field] = name;
    else conflict = { reason: `${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`, message };
  };
  take('plural', held.resources);
  take('singular', held.resources);
  const messages = (wanted.shortNames ?? [])
    .filter((name) => had.shortNames?.includes(name) !== true)
    .flatMap((name) => problemOf(name, '', held.resources) ?? []);
  if (messages.length === 0) setList(accepted, 'shortNames', wanted.shortNames);
  else conflict = { reason: 'ShortNamesConflict', message: aggregate(messages) };
  take('kind', held.kinds);
  take('listKind', held.kinds);
  setList(accepted, 'categories', wanted.categories);
  return { accepted, conflict };
}

function setList(
  names: CustomResourceDefinitionNames,
  field: 'shortNames' | 'categories',
  list: string[] | undefined,
): void {
  if (list === undefined) delete names[field];
  else names[field] = list;
}

/** Several errors as apimachinery words them together. */
const aggregate = (messages: readonly string[]): string => {
  const [first = '', ...others] = new Set(messages);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
};
