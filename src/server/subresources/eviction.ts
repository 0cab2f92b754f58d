import { decideEviction } from '../../apis/policy/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Eviction, PodDisruptionBudget } from '../../apis/types/policy-v1beta1.ts';
import { badRequest, otherFailure } from '../../machinery/errors/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import {
  decodeStored,
  deleteObject,
  formatNow,
  type ServedKind,
  serverUser,
  updateObject,
} from '../../registry/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { readObject } from '../handlers/read-object.ts';
import { type DeleteBody, parseDeleteOptions, parseWriteQuery } from '../request/options.ts';
import { admitCreation } from './admit-creation.ts';
import { findObject } from './find-object.ts';
import { writeCreated } from './write-value.ts';

const noQuery = new URLSearchParams();

/** POST to `pods/NAME/eviction`: deletes the pod if its disruption budget allows. */
export function evictionHandler(findBudgets: () => ServedKind | undefined): SubresourceHandler {
  return async (exchange, endpoint, subresource) => {
    const { context, served: pods } = endpoint;
    const { namespace, name } = exchange.info;
    const query = parseWriteQuery(exchange.query, 'CreateOptions', context.metaGroup);
    const object = await readObject(exchange, context, subresource);
    await admitCreation(exchange, endpoint, { kind: subresource, object, query });
    // Decoded as just this kind.
    const eviction = object as unknown as Eviction;
    if (eviction.metadata.name !== name) {
      throw badRequest('name in URL does not match name in Eviction object');
    }
    const body = withDryRun(eviction, query.isDryRun ? exchange.query.getAll('dryRun') : []);
    const isDryRun = (body.dryRun ?? []).length > 0;
    const pod = (await findObject(exchange, pods)) as Pod; // pods are stored under this resource
    await useBudget(pod, findBudgets(), { isDryRun, now: formatNow(context.nowMs()) });
    // The deletion looks at its options, after the budget.
    const { deleteOptions } = parseDeleteOptions(noQuery, body, context.metaGroup);
    await deleteObject(pods, {
      namespace,
      name,
      deleteOptions,
      options: { user: exchange.user, isDryRun },
      isAdmitted: true,
    });
    writeCreated(exchange, endpoint);
  };
}

/** Options of the deletion. A dry run may be asked for in the query or in the body, but not for different stages. */
function withDryRun(eviction: Eviction, stages: readonly string[]): DeleteBody {
  // What the decoder leaves of the options is what a deletion's body has.
  const options = (eviction.deleteOptions ?? {}) as DeleteBody;
  const own = options.dryRun ?? [];
  if (own.length === 0) return { ...options, dryRun: stages };
  if (stages.length === 0 || (own.length === stages.length && own.every((stage, i) => stage === stages[i]))) {
    return options;
  }
  const texts = [stages, own].map((list) => `[${list.join(' ')}]`);
  throw otherFailure(
    500,
    '',
    `Non-matching dry-run options in request and content: ${texts[0]} and ${texts[1]}`,
  );
}

interface BudgetUse {
  readonly isDryRun: boolean;
  readonly now: string;
}

/**
 * Takes one disruption from the pod's budget, if it has one.
 *
 * @throws StatusError 429 or 403 when the budget does not allow it, 500 when there are several.
 */
async function useBudget(
  pod: Pod,
  served: ServedKind | undefined,
  { isDryRun, now }: BudgetUse,
): Promise<void> {
  await served?.store.freshen?.();
  const budgets = served === undefined ? [] : matchingBudgets(served, pod);
  const decision = decideEviction({ pod, budgets, now });
  if (decision.kind === 'refused') throw decision.error;
  if (decision.budget === undefined || served === undefined || isDryRun) return;
  const takeDisruption = (budget: PodDisruptionBudget): PodDisruptionBudget => {
    // Another eviction may have come first: the decision is repeated with the stored budget.
    const renewed = decideEviction({ pod, budgets: [budget], now });
    if (renewed.kind === 'refused') throw renewed.error;
    if (renewed.budget !== undefined) budget.status = renewed.budget.status;
    return budget;
  };
  await updateObject(served, {
    namespace: pod.metadata.namespace ?? '',
    name: decision.budget.budget.metadata.name ?? '',
    subresource: 'status',
    manager: '',
    change: { kind: 'edit', edit: (object) => takeDisruption(object as PodDisruptionBudget) }, // stored under this resource
    // Budgets are updated by the server's own user, whoever evicts.
    options: { user: serverUser, isDryRun: false },
  });
}

/** Budgets of the pod's namespace that select it. A budget without a selector selects nothing. */
function matchingBudgets({ store }: ServedKind, { metadata }: Pod): PodDisruptionBudget[] {
  const { labels = {}, namespace = '' } = metadata;
  if (Object.keys(labels).length === 0) return [];
  return store.cache
    .list({ prefix: `${store.keyPrefix}${namespace}/` })
    .objects.map((object) => decodeStored<PodDisruptionBudget>(object))
    .filter(({ spec }) => {
      const selector = labelSelectorFromObject(spec.selector);
      return !selector.isEmpty && selector.matches(labels);
    });
}
