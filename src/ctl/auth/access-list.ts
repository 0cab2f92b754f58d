import type { PolicyRule } from '../../apis/types/rbac-authorization-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { createTextTable, toCellText } from '../printers/text-table.ts';

interface RulesReview {
  readonly status: {
    readonly resourceRules?: readonly PolicyRule[] | null;
    readonly nonResourceRules?: readonly PolicyRule[] | null;
    readonly incomplete?: boolean;
    readonly evaluationError?: string;
  };
}

/** Prints what the user may do in a namespace, as the client of release 1.20 does. */
export async function printAccessList(
  ctl: Ctl,
  { namespace, hasHeaders }: { readonly namespace: string; readonly hasHeaders: boolean },
): Promise<void> {
  const group = ctl.dialect.group('authorization');
  const client = await ctl.client();
  const { status } = await client.json<RulesReview>({
    method: 'POST',
    path: resourcePath({ group, version: 'v1', resource: 'selfsubjectrulesreviews' }),
    body: { apiVersion: `${group}/v1`, kind: 'SelfSubjectRulesReview', spec: { namespace } },
    signal: ctl.io.signal,
  });
  if (status.incomplete === true)
    ctl.io.stderr.write(`warning: the list may be incomplete: ${status.evaluationError ?? ''}\n`);
  const rules = [...(status.resourceRules ?? []), ...(status.nonResourceRules ?? [])];
  const table = createTextTable();
  const rows = ruleCells(rules).map((cells) => cells.map(toCellText));
  const headers = hasHeaders ? [['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs']] : [];
  ctl.io.stdout.write(table.format([...headers, ...rows]));
}

/** Rules as rows of a table: resource, other paths, names of objects, verbs. In the order of release 1.20. Pure. */
export function ruleCells(rules: readonly PolicyRule[]): readonly (readonly string[])[] {
  return compactRules(rules).map((rule) => [
    resourceText(rule),
    listText(rule.nonResourceURLs),
    listText(rule.resourceNames),
    listText(rule.verbs),
  ]);
}

/**
 * Rules of one resource each: its verbs together, where at most one object is named. In the order of release 1.20, by
 * verbs first. Pure.
 */
export function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const compact: PolicyRule[] = [];
  const byResource = new Map<string, PolicyRule>();
  for (const rule of rules.flatMap(breakDown)) {
    const { apiGroups = [], resources = [], resourceNames = [], verbs } = rule;
    const isOfResource = apiGroups.length === 1 && resources.length === 1;
    const key = JSON.stringify([apiGroups, resources, resourceNames]);
    const known = isOfResource ? byResource.get(key) : undefined;
    if (known !== undefined) known.verbs = [...new Set([...(known.verbs ?? []), ...(verbs ?? [])])];
    else {
      compact.push(rule);
      if (isOfResource) byResource.set(key, rule);
    }
  }
  const keyed = compact.map((rule) => [sortText(rule), rule] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, rule]) => rule);
}

/** A rule for each resource, object and verb, and for each path and verb. */
function breakDown({
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
  verbs,
}: PolicyRule): PolicyRule[] {
  const names = (resourceNames ?? []).map((name) => [name]);
  const parts: PolicyRule[] = [];
  for (const group of apiGroups ?? []) {
    for (const resource of resources ?? []) {
      for (const verb of verbs ?? []) {
        for (const named of names.length === 0 ? [[]] : names) {
          parts.push({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames: named });
        }
      }
    }
  }
  for (const url of nonResourceURLs ?? []) {
    for (const verb of verbs ?? []) parts.push({ verbs: [verb], nonResourceURLs: [url] });
  }
  return parts;
}

function resourceText({ resources, apiGroups }: PolicyRule): string {
  const [resource = ''] = resources ?? [];
  const [group = ''] = apiGroups ?? [];
  const at = resource.indexOf('/');
  const [name, rest] = at < 0 ? [resource, ''] : [resource.slice(0, at), resource.slice(at)];
  return `${name}${group === '' ? '' : `.${group}`}${rest}`;
}

const listText = (texts: readonly string[] | null | undefined): string => `[${(texts ?? []).join(' ')}]`;

const sortText = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string =>
  [verbs, apiGroups, resources, resourceNames, nonResourceURLs].map(listText).join(',');
