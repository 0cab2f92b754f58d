import type { ClusterRole, PolicyRule } from '../apis/types/rbac-authorization-v1.ts';
import { deepEqual } from '../apis/validation/index.ts';
import { startInformer } from '../client/informer/index.ts';
import { resourcePath } from '../client/rest/index.ts';
import { createWorkQueue } from '../client/work-queue/index.ts';
import { isReason } from '../machinery/errors/index.ts';
import { labelSelectorFromObject } from '../machinery/selectors/index.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { followOptions } from './follow-options.ts';

const retries = { firstRetryMs: 50, maxRetryMs: 30_000 };

/**
 * The rules that an aggregated cluster role is to have: those of the roles that its selectors choose, selector by
 * selector in the order of names, each once. Undefined when it has them. Pure. Roles that choose one another keep what they have and
 * only gain rules: otherwise they would take turns for ever in losing rules, or in their order.
 *
 * @throws SelectorError for a selector that validation would refuse.
 */
export function decideAggregatedRules(
  role: ClusterRole,
  roles: readonly ClusterRole[],
): readonly PolicyRule[] | undefined {
  const rules: PolicyRule[] = [];
  const add = (added: readonly PolicyRule[] | null | undefined): void => {
    for (const rule of added ?? []) {
      if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
    }
  };
  const chosen = chosenBy(role, roles);
  for (const candidate of chosen) add(candidate.rules);
  const current = role.rules ?? [];
  if (deepEqual(rules, current)) return undefined;
  if (!isChosenInTurn(role, chosen, roles)) return rules;
  const isComplete = rules.every((rule) => current.some((known) => deepEqual(known, rule)));
  if (isComplete) return undefined;
  add(current);
  return rules;
}

/** The other roles that the selectors of a role choose, in the order in which their rules count; some of them again. */
function chosenBy(role: ClusterRole, roles: readonly ClusterRole[]): ClusterRole[] {
  const inOrder = [...roles].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return (role.aggregationRule?.clusterRoleSelectors ?? []).flatMap((selector) => {
    const { matches } = labelSelectorFromObject(selector);
    return inOrder.filter((each) => nameOf(each) !== nameOf(role) && matches(each.metadata.labels ?? {}));
  });
}

/** Whether one of the chosen roles is made of this role, be it through others. */
function isChosenInTurn(
  role: ClusterRole,
  chosen: readonly ClusterRole[],
  roles: readonly ClusterRole[],
): boolean {
  const seen = new Set<string>();
  const waiting = [...chosen];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (nameOf(next) === nameOf(role)) return true;
    if (seen.has(nameOf(next)) || next.aggregationRule === undefined) continue;
    seen.add(nameOf(next));
    waiting.push(...chosenBy(next, roles));
  }
  return false;
}

const nameOf = ({ metadata }: ClusterRole): string => metadata.name ?? '';

/** Keeps the rules of aggregated cluster roles: what `admin`, `edit` and `view` may do is the sum of other roles. */
export const clusterRoleAggregationController: Controller = {
  name: 'clusterrole-aggregation',
  async run(context) {
    const { clock, random, signal, logger, dialect } = context;
    const collection = {
      group: dialect.group('rbac.authorization'),
      version: 'v1',
      resource: 'clusterroles',
    };
    // Whichever role changes: any of the aggregated ones may be made of it.
    const addAggregated = (): void => {
      for (const role of roles.list()) if (role.aggregationRule !== undefined) queue.add(nameOf(role));
    };
    const roles = startInformer<ClusterRole>({
      ...followOptions(context),
      resource: collection,
      onAdd: addAggregated,
      onUpdate: addAggregated,
      onDelete: addAggregated,
    });
    const queue = createWorkQueue<string>({
      async work(name) {
        await roles.whenSynced;
        const role = roles.get('', name);
        const rules = role && decideAggregatedRules(role, roles.list());
        if (rules !== undefined) await writeRules(context, resourcePath({ ...collection, name }), rules);
      },
      concurrency: 1,
      ...retries,
      metrics: context.queueMetrics,
      random,
      clock,
      signal,
      onError: (error, name) => logger.error('cluster role aggregation failed', { name, error }),
    });
    await Promise.all([roles.done, queue.done]);
  },
};

async function writeRules(
  { client, signal }: ControllerContext,
  path: string,
  rules: readonly PolicyRule[],
): Promise<void> {
  try {
    const current = await client.json<ClusterRole>({ method: 'GET', path, signal });
    await client.send({ method: 'PUT', path, body: { ...current, rules }, signal });
  } catch (error) {
    // Somebody deleted or changed it: then it comes again.
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}
