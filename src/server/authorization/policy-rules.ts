import type { PolicyRule } from '../../apis/types/rbac-authorization-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { AuthorizationQuestion } from './authorizer.ts';

const all = '*';
const none: readonly string[] = [];

/** Whether a rule of a role allows a request. Source: "Using RBAC Authorization", referring to resources. */
export function ruleAllows(rule: PolicyRule, request: AuthorizationQuestion['request']): boolean {
  if (!includesOrAll(rule.verbs, request.verb)) return false;
  if (!request.isResource) return (rule.nonResourceURLs ?? none).some((url) => urlFits(url, request.path));
  return (
    includesOrAll(rule.apiGroups, request.group) &&
    resourceFits(rule.resources ?? none, request.resource, request.subresource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(request.name))
  );
}

const includesOrAll = (list: readonly string[] | null | undefined, item: string): boolean =>
  list != null && (list.includes(item) || list.includes(all));

function resourceFits(list: readonly string[], resource: string, subresource: string): boolean {
  if (list.includes(all)) return true;
  if (subresource === '') return list.includes(resource);
  return list.includes(`${resource}/${subresource}`) || list.includes(`*/${subresource}`);
}

/** Any number of stars at the end stands for any rest. */
const urlFits = (pattern: string, path: string): boolean =>
  pattern === path || (pattern.endsWith(all) && path.startsWith(pattern.replace(/\*+$/, '')));

/** The parts of `wanted` that none of the rules of `held` covers, each of one verb and one resource or path. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** A rule as rules that each have one verb and one group, resource and name, or one path. */
function breakDown(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const parts: PolicyRule[] = [];
  for (const group of apiGroups ?? none) {
    for (const resource of resources ?? none) {
      for (const verb of verbs ?? none) {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (!resourceNames?.length) parts.push(part);
        else parts.push(...resourceNames.map((name) => ({ ...part, resourceNames: [name] })));
      }
    }
  }
  for (const url of nonResourceURLs ?? none) {
    for (const verb of verbs ?? none) parts.push({ verbs: [verb], nonResourceURLs: [url] });
  }
  return parts;
}

function covers(rule: PolicyRule, part: PolicyRule): boolean {
  const coversAll = (
    list: readonly string[] | null | undefined,
    items: readonly string[] | null | undefined,
    fits: (list: readonly string[], item: string) => boolean,
  ): boolean => (items ?? none).every((item) => fits(list ?? none, item));
  const names = rule.resourceNames ?? none;
  const coversNames = part.resourceNames?.length
    ? names.length === 0 || part.resourceNames.every((name) => names.includes(name))
    : names.length === 0;
  return (
    coversNames &&
    coversAll(rule.verbs, part.verbs, includesOrAll) &&
    coversAll(rule.apiGroups, part.apiGroups, includesOrAll) &&
    coversAll(rule.resources, part.resources, coversResource) &&
    coversAll(rule.nonResourceURLs, part.nonResourceURLs, (list, url) =>
      list.some((pattern) => urlFits(pattern, url)),
    )
  );
}

function coversResource(list: readonly string[], resource: string): boolean {
  if (list.includes(all) || list.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash > 0 && list.includes(`*${resource.slice(slash)}`);
}

/** Rules as messages list them: rules of one resource are joined, and each is written once, in the order of the texts. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const texts = joinVerbs(rules).map(({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }) => {
    const parts = [
      ['APIGroups', apiGroups],
      ['Resources', resources],
      ['NonResourceURLs', nonResourceURLs],
      ['ResourceNames', resourceNames],
      ['Verbs', verbs],
    ] as const;
    const shown = parts.flatMap(([name, list]) => (list?.length ? [`${name}:${quoteList(list)}`] : []));
    return `{${shown.join(', ')}}`;
  });
  return [...new Set(texts)].sort().join('\n');
}

function joinVerbs(rules: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  const others: PolicyRule[] = [];
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames, nonResourceURLs, verbs } = rule;
    const isOne = apiGroups?.length === 1 && resources?.length === 1 && !nonResourceURLs?.length;
    if (!isOne || (resourceNames?.length ?? 0) > 1) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([apiGroups, resources, resourceNames]);
    const known = joined.get(key);
    joined.set(
      key,
      known === undefined ? rule : { ...known, verbs: [...(known.verbs ?? []), ...(verbs ?? [])] },
    );
  }
  return [...others, ...joined.values()];
}

/** A list as Go's `%q` prints it. */
export const quoteList = (list: readonly string[]): string => `[${list.map(quoteGo).join(' ')}]`;
