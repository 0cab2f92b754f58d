import type { Dialect } from '../../machinery/dialect.ts';

/**
 * Text as part of an operation name: what is no letter, digit or `_` goes, and the letter behind it is in upper case, as the
 * first one where `isCapitalized` says so. Source: apiserver, `pkg/endpoints/openapi`, `ToValidOperationID`.
 */
function toOperationWord(text: string, { isCapitalized }: { readonly isCapitalized: boolean }): string {
  let word = '';
  let isNextUpper = isCapitalized;
  for (const [index, letter] of [...text].entries()) {
    const isKept = index === 0 ? /[\p{L}_]/u.test(letter) : /[\p{L}\p{Nd}_]/u.test(letter);
    if (isKept) word += isNextUpper ? letter.toUpperCase() : letter;
    isNextUpper = !isKept;
  }
  return word;
}

/** What stands for a group in names: its own name without the product's domain, and `core` for the one that has none. */
function shortGroup(dialect: Dialect, group: string): string {
  if (group === '') return 'core';
  return group.endsWith(dialect.groupSuffix) ? group.slice(0, -dialect.groupSuffix.length) : group;
}

/** `rbac.authorization.orch.io` and `v1` are `RbacAuthorizationV1` in operation names; no version, no `V1`. */
export function operationGroup(dialect: Dialect, group: string, version = ''): string {
  const isCapitalized = true;
  return (
    toOperationWord(shortGroup(dialect, group), { isCapitalized }) +
    toOperationWord(version, { isCapitalized })
  );
}

/** `rbacAuthorization_v1`: the tag of a version's operations; of the whole group without a version. */
export function operationTag(dialect: Dialect, group: string, version?: string): string {
  const tag = toOperationWord(shortGroup(dialect, group), { isCapitalized: false });
  return version === undefined ? tag : `${tag}_${toOperationWord(version, { isCapitalized: false })}`;
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a Pod`, `an Ingress`, `Endpoints`: plurals have no article. Source: apiserver, `pkg/endpoints`, `GetArticleForNoun`. */
export function withArticle(noun: string): string {
  if (/(?<!s)s$/.test(noun)) return noun;
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
