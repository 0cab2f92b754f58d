import type { PolicyRule } from '../../apis/types/rbac-authorization-v1.ts';
import type { ConfigOf } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';
import verbs from './role-verbs.json' with { type: 'json' };
import { type RuleResource, readRuleResources } from './rule-resources.ts';

const section = 'Rules';
const ruleOptions = [
  { name: 'verb', type: 'strings', section, help: 'Verbs that are allowed, such as get,list.' },
  {
    name: 'resource',
    type: 'strings',
    section,
    help: 'Resources that they are allowed on: TYPE, TYPE.GROUP or TYPE/PART.',
  },
  { name: 'resource-name', type: 'stringArray', section, help: 'Name of an object; repeatable.' },
] as const;

const clusterRuleOptions = [
  ...ruleOptions,
  { name: 'non-resource-url', type: 'strings', section, help: 'Paths beside the API, such as /logs/*.' },
  {
    name: 'aggregation-rule',
    type: 'mapStringString',
    section,
    help: 'Labels of the cluster roles that this one is the sum of.',
  },
] as const;

/** `ctl create role`. */
export const roleVerb = defineVerb({
  program: {
    name: 'ctl create role',
    summary: 'Create a role in a namespace',
    usage: 'NAME --verb=VERB --resource=TYPE.GROUP/PART [--resource-name=NAME] [flags]',
    options: [...ruleOptions, ...generatorOptions],
    examples: [
      { command: 'ctl create role reader --verb=get,list --resource=pods', does: 'allow to read pods' },
    ],
  },
  async run(ctl, { options, args }) {
    const name = takeName(args);
    const rules = await resourceRules(ctl, options);
    await createGenerated(ctl, options, { ...roleOf(ctl, 'Role', name), rules });
  },
});

/** `ctl create clusterrole`. */
export const clusterRoleVerb = defineVerb({
  program: {
    name: 'ctl create clusterrole',
    summary: 'Create a role for all namespaces',
    usage: 'NAME --verb=VERB --resource=TYPE.GROUP/PART [--resource-name=NAME] [flags]',
    options: [...clusterRuleOptions, ...generatorOptions],
  },
  async run(ctl, { options, args }) {
    const name = takeName(args);
    const role = roleOf(ctl, 'ClusterRole', name);
    if (Object.keys(options.aggregationRule).length > 0) {
      checkAggregation(options);
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: options.aggregationRule }] };
      await createGenerated(ctl, options, { ...role, rules: null, aggregationRule });
      return;
    }
    const urls = options.nonResourceUrl;
    if (options.verb.length === 0) throw new CtlError('at least one verb must be specified');
    if (options.resource.length === 0 && urls.length === 0)
      throw new CtlError('one of resource or nonResourceURL must be specified');
    const rules = options.resource.length > 0 ? await resourceRules(ctl, options) : [];
    if (urls.length > 0) checkPathVerbs(options.verb);
    for (const url of urls) checkPath(url);
    const ofPaths: PolicyRule[] =
      urls.length === 0 ? [] : [{ verbs: verbsOf(options.verb), nonResourceURLs: [...urls] }];
    await createGenerated(ctl, options, { ...role, rules: [...rules, ...ofPaths] });
  },
});

const roleOf = ({ dialect }: Ctl, kind: string, name: string) => ({
  apiVersion: `${dialect.group('rbac.authorization')}/v1`,
  kind,
  metadata: { name },
});

/** All stand for themselves; otherwise each is named once. */
const verbsOf = (given: readonly string[]): string[] => (given.includes('*') ? ['*'] : [...new Set(given)]);

/** A rule for each group, in the order of their names. @throws CtlError as release 1.20 words it */
async function resourceRules(
  ctl: Ctl,
  { verb, resource, resourceName }: ConfigOf<typeof ruleOptions>,
): Promise<readonly PolicyRule[]> {
  const allowed = verbsOf(verb);
  if (allowed.length === 0) throw new CtlError('at least one verb must be specified');
  for (const one of allowed) {
    if (!verbs.resource.includes(one))
      ctl.io.stderr.write(`Warning: '${one}' is not a standard resource verb\n`);
  }
  if (resource.length === 0) throw new CtlError('at least one resource must be specified');
  const found = await readRuleResources(ctl, resource, allowed);
  const byGroup = Map.groupBy(found, ({ group }: RuleResource) => group);
  const names = [...new Set(resourceName)];
  return [...byGroup]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, ofGroup]) => ({
      verbs: allowed,
      apiGroups: [group],
      resources: [...new Set(ofGroup.map(({ resource: one }) => one))],
      ...(names.length === 0 ? {} : { resourceNames: names }),
    }));
}

function checkAggregation(options: ConfigOf<typeof clusterRuleOptions>): void {
  const { nonResourceUrl, verb, resource, resourceName } = options;
  if ([...nonResourceUrl, ...verb, ...resource, ...resourceName].length > 0)
    throw new CtlError(
      'aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames',
    );
}

function checkPathVerbs(given: readonly string[]): void {
  const wrong = verbsOf(given).find((verb) => !verbs.path.includes(verb));
  if (wrong !== undefined) throw new CtlError(`invalid verb: '${wrong}' for nonResourceURL`);
}

function checkPath(url: string): void {
  if (url === '*') return;
  if (!url.startsWith('/')) throw new CtlError('nonResourceURL should start with /');
  if (url.slice(0, -1).includes('*')) {
    throw new CtlError("nonResourceURL only supports wildcard matches when '*' is at the end");
  }
}
