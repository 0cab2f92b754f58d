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
 * selector in the order of names, each once. Undefined when it has them. Pure.
 *
 * @throws SelectorError for a selector that validation would refuse.
 */
export function decideAggregatedRules(
  role: ClusterRole,
  roles: readonly ClusterRole[],
): readonly PolicyRule[] | undefined {
  const rules: PolicyRule[] = [];
  const inOrder = [...roles].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const { matches } = labelSelectorFromObject(selector);
    for (const candidate of inOrder) {
      if (nameOf(candidate) === nameOf(role) || !matches(candidate.metadata.labels ?? {})) continue;
      for (const rule of candidate.rules ?? []) {
        if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
      }
    }
  }
  return deepEqual(rules, role.rules ?? []) ? undefined : rules;
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
