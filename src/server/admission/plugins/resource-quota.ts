import {
  type ChargedQuota,
  type ChargeResult,
  type ChargeRules,
  chargeQuotas,
  evaluatorFor,
  formatAmounts,
  hasSameAmounts,
  parseAmounts,
} from '../../../apis/quota/index.ts';
import type { ResourceQuota } from '../../../apis/types/core-v1.ts';
import { systemClock } from '../../../base/index.ts';
import { isReason, otherFailure, type StatusError } from '../../../machinery/errors/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { AdmissionOptions, PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { requestedGroup } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

/** How often quotas are charged anew after somebody else wrote them in between. Source: release 1.20. */
const maxRetries = 3;

/** A write that waits to be charged. */
interface Waiting {
  readonly attributes: AdmissionAttributes;
  readonly object: ApiObject;
  readonly rules: ChargeRules;
  /** Ends the wait: the write is let in, or refused with the error. */
  readonly settle: (error?: unknown) => void;
}

/**
 * Charges the quotas of a namespace for what a write uses, before it is stored, and refuses what they have no room for.
 * What was charged for writes that failed afterwards is taken back by whoever recalculates the quota's status.
 */
export function resourceQuota({ dialect, read, options }: PluginSources): AdmissionPlugin {
  const clock = options.clock ?? systemClock;
  const sources = { dialect, nowMs: () => clock.nowMs() };
  const limits = options.limitedResources ?? [];
  const known = new Map<string, ChargeRules>();
  const quotasOf = (namespace: string) => read.list<ResourceQuota>('', 'resourcequotas', namespace);
  const charger = new QuotaCharger(quotasOf, options.updateQuotaStatus);

  return {
    name: 'ResourceQuota',
    handles: onOperations('CREATE', 'UPDATE'),
    validate(attributes) {
      const { namespace, subresource, operation } = attributes;
      if (namespace === '' || subresource !== '' || attributes.isRepeated === true) return;
      if (limits.length === 0 && quotasOf(namespace).length === 0) return;
      const rules = rulesOf(attributes);
      const { object } = attributes;
      if (object === undefined || !rules.evaluator.handles(operation)) return;
      return new Promise((resolve, reject) => {
        const settle = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
        charger.add(namespace, { attributes, object, rules, settle });
      });
    },
  };

  /** Objects count for the group that the request named. */
  function rulesOf(attributes: AdmissionAttributes): ChargeRules {
    const { resource } = attributes;
    const group = requestedGroup(attributes);
    const key = `${group}/${resource.resource}`;
    let rules = known.get(key);
    if (rules === undefined) {
      const counted = { group, resource: resource.resource };
      rules = { evaluator: evaluatorFor(counted, sources), resource: counted, limits };
      known.set(key, rules);
    }
    return rules;
  }
}

/**
 * Charges are compare-and-updates of quotas' statuses. The writes that wait in a namespace are charged together, so that they
 * never compete with one another.
 */
class QuotaCharger {
  readonly #quotasOf: (namespace: string) => readonly ResourceQuota[];
  readonly #update: AdmissionOptions['updateQuotaStatus'];
  /** Of the namespaces in work: what came meanwhile. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(
    quotasOf: (namespace: string) => readonly ResourceQuota[],
    update: AdmissionOptions['updateQuotaStatus'],
  ) {
    this.#quotasOf = quotasOf;
    this.#update = update;
  }

  add(namespace: string, waiting: Waiting): void {
    const queue = this.#queues.get(namespace);
    if (queue !== undefined) {
      queue.push(waiting);
      return;
    }
    this.#queues.set(namespace, [waiting]);
    void this.#work(namespace);
  }

  async #work(namespace: string): Promise<void> {
    for (;;) {
      const batch = this.#queues.get(namespace)?.splice(0) ?? [];
      if (batch.length === 0) break;
      try {
        await this.#charge(batch, this.#quotasOf(namespace));
      } catch (error) {
        for (const { settle } of batch) settle(error);
      }
    }
    this.#queues.delete(namespace);
  }

  /** Settles every write of the batch. */
  async #charge(
    batch: readonly Waiting[],
    stored: readonly ResourceQuota[],
    retries = maxRetries,
  ): Promise<void> {
    const before = stored.map(chargedQuotaOf);
    const { quotas, charged } = chargeAll(batch, before);
    const failed = new Set<string>();
    let lastError: unknown;
    for (const [index, quota] of stored.entries()) {
      const now = quotas[index]?.used;
      if (now === undefined || hasSameAmounts(now, before[index]?.used ?? new Map())) continue;
      try {
        await this.#update?.({ ...quota, status: { ...quota.status, used: formatAmounts(now) } });
      } catch (error) {
        if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
        failed.add(quota.metadata.name ?? '');
        lastError = error;
      }
    }
    if (failed.size > 0 && retries > 0) {
      const again = this.#quotasOf(stored[0]?.metadata.namespace ?? '');
      // What was deleted meanwhile bounds nothing any more.
      const changed = again.filter(({ metadata }) => failed.has(metadata.name ?? ''));
      // That quotas bound what is limited was seen when all of them were looked at.
      const covered = charged.map((waiting) => ({ ...waiting, rules: { ...waiting.rules, limits: [] } }));
      await this.#charge(covered, changed, retries - 1);
    } else for (const { settle } of charged) settle(lastError);
  }
}

/** What is used after the whole batch. Writes that change no quota, or are refused, are settled at once. */
function chargeAll(
  batch: readonly Waiting[],
  before: readonly ChargedQuota[],
): { readonly quotas: readonly ChargedQuota[]; readonly charged: readonly Waiting[] } {
  let quotas = before;
  const charged: Waiting[] = [];
  for (const waiting of batch) {
    const { attributes, object, rules, settle } = waiting;
    const { oldObject, isDryRun } = attributes;
    const result = chargeQuotas(quotas, { object, oldObject }, rules);
    if (result.kind !== 'charged') settle(errorOf(attributes, result));
    else if (isDryRun || result.quotas.every((quota, index) => quota === quotas[index])) settle();
    else {
      quotas = result.quotas;
      charged.push(waiting);
    }
  }
  return { quotas, charged };
}

const errorOf = (
  attributes: AdmissionAttributes,
  { kind, detail }: Exclude<ChargeResult, { readonly kind: 'charged' }>,
): StatusError => (kind === 'refused' ? refuse(attributes, detail) : otherFailure(500, '', detail));

const chargedQuotaOf = ({ metadata, spec, status }: ResourceQuota): ChargedQuota => ({
  name: metadata.name ?? '',
  spec,
  hard: parseAmounts(status.hard),
  used: parseAmounts(status.used),
});
