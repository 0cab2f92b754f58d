import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import { reportInvalid } from '../reporting.ts';
import type { NonResourcePolicyRule, ResourcePolicyRule } from '../types/flowcontrol-apiserver-v1beta1.ts';
import { goStringList, isDns1123Label } from '../validation/index.ts';

/** Verbs beside `*`, which stands alone. */
const verbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
];

const namespaceRule = "each member of this list must be '*' or a DNS-1123 label";

/** Adds the errors of a list that must have entries, and in which `*` stands alone. True when the list has `*`. */
function validateWildcardList(
  errors: FieldError[],
  list: readonly string[],
  path: FieldPath,
  texts: { readonly empty: string; readonly noun: string },
): boolean {
  if (list.length === 0) errors.push(required(path, texts.empty));
  if (!list.includes('*')) return false;
  if (list.length > 1) {
    const detail = `if '*' is present, must not specify other ${texts.noun}`;
    errors.push(invalidValue(path, goStringList(list), detail));
  }
  return true;
}

function validateVerbs(errors: FieldError[], given: readonly string[], path: FieldPath): void {
  const texts = { empty: 'verbs must contain at least one value', noun: 'verbs' };
  if (validateWildcardList(errors, given, path, texts) || given.every((verb) => verbs.includes(verb))) return;
  errors.push(notSupported(path, goStringList(given), verbs));
}

/** Adds the errors of a rule about requests for resources. */
export function validateResourceRule(errors: FieldError[], rule: ResourcePolicyRule, path: FieldPath): void {
  validateVerbs(errors, rule.verbs ?? [], path.child('verbs'));
  validateWildcardList(errors, rule.apiGroups ?? [], path.child('apiGroups'), {
    empty: 'resource rules must supply at least one api group',
    noun: 'api groups',
  });
  validateWildcardList(errors, rule.resources ?? [], path.child('resources'), {
    empty: 'resource rules must supply at least one resource',
    noun: 'resources',
  });
  const namespaces = rule.namespaces ?? [];
  const namespacesPath = path.child('namespaces');
  if (namespaces.length === 0 && rule.clusterScope === true) return;
  const hasWildcard = validateWildcardList(errors, namespaces, namespacesPath, {
    empty: 'resource rules that are not cluster scoped must supply at least one namespace',
    noun: 'namespaces',
  });
  if (hasWildcard) return;
  for (const [at, namespace] of namespaces.entries()) {
    const problems = isDns1123Label(namespace).map((problem) => `${namespaceRule}; ${problem}`);
    reportInvalid(errors, namespacesPath.index(at), namespace, problems);
  }
}

/** Adds the errors of a rule about requests for other paths. */
export function validateNonResourceRule(
  errors: FieldError[],
  rule: NonResourcePolicyRule,
  path: FieldPath,
): void {
  validateVerbs(errors, rule.verbs ?? [], path.child('verbs'));
  const urls = rule.nonResourceURLs ?? [];
  const urlsPath = path.child('nonResourceURLs');
  const hasWildcard = validateWildcardList(errors, urls, urlsPath, {
    empty: 'nonResourceURLs must contain at least one value',
    noun: 'non-resource URLs',
  });
  if (hasWildcard) return;
  for (const [at, url] of urls.entries()) {
    const problem = describeUrlProblem(url);
    if (problem !== undefined) errors.push(invalidValue(urlsPath.index(at), url, problem));
  }
}

function describeUrlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const firstStar = url.indexOf('*');
  const isSuffixOnly = firstStar < 0 || (firstStar === url.length - 1 && url.endsWith('/*'));
  return isSuffixOnly ? undefined : 'wildcard can only do suffix matching';
}
