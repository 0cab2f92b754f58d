import { randomUUID } from 'node:crypto';
import type { Lease } from '../apis/types/coordination-v1.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';
import { formatMicroTime } from '../machinery/values/index.ts';
import {
  createObject,
  decodeStored,
  deleteObject,
  keyOf,
  type ServedKind,
  type Stores,
  serverManager,
  serverUser,
  updateObject,
} from '../registry/index.ts';
import { repeat } from './repeat.ts';
import type { SharedTask } from './run-controllers.ts';

/** What the leases by which servers make themselves known are kept with. */
export interface IdentityLeaseOptions {
  readonly stores: Stores;
  readonly dialect: Dialect;
  /** `--identity-lease-duration-seconds`. */
  readonly durationSeconds: number;
  /** `--identity-lease-renew-interval-seconds`. */
  readonly renewIntervalSeconds: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const options = { user: serverUser, isDryRun: false };

/**
 * Keeps a Lease in the system namespace that names this server, until the returned function is called: the gate
 * `APIServerIdentity` of release 1.20. The lease stays then, as there, until it has expired and somebody collects it.
 */
export async function keepIdentityLease(given: IdentityLeaseOptions): Promise<() => Promise<void>> {
  const { dialect, renewIntervalSeconds, clock, logger } = given;
  const served = leasesOf(given);
  if (served === undefined) return async () => {};
  const name = `${dialect.spell('orch-apiserver')}-${randomUUID()}`;
  const renew = (): Promise<void> => renewLease(served, name, given);
  const onError = (error: unknown): void =>
    logger.error('API server identity lease renewal failed', { error });
  await renew().catch(onError);
  const ending = new AbortController();
  const intervalMs = renewIntervalSeconds * 1000;
  const renewal = repeat(renew, { clock, intervalMs, signal: ending.signal, onError });
  return async () => {
    ending.abort();
    await renewal;
  };
}

/** Deletes the leases of servers that have not renewed them, once in the time that they hold. */
export function collectIdentityLeases(given: IdentityLeaseOptions): SharedTask {
  const { durationSeconds, clock, logger } = given;
  const collect = async (): Promise<void> => {
    const served = leasesOf(given);
    if (served === undefined) return;
    for (const name of expiredLeases(served, given)) {
      const namespace = given.dialect.systemNamespace;
      await deleteObject(served, { namespace, name, deleteOptions: {}, options }).catch((error: unknown) => {
        if (!isReason(error, 'NotFound')) throw error;
      });
      logger.info('expired API server identity lease deleted', { name });
    }
  };
  return (signal) =>
    repeat(collect, {
      clock,
      intervalMs: durationSeconds * 1000,
      signal,
      onError: (error) => logger.error('API server identity lease collection failed', { error }),
    });
}

function leasesOf({ stores, dialect }: IdentityLeaseOptions): ServedKind | undefined {
  return stores.served.get(`${dialect.group('coordination')}/v1/leases`);
}

async function renewLease(served: ServedKind, name: string, given: IdentityLeaseOptions): Promise<void> {
  const { dialect, durationSeconds, clock } = given;
  const namespace = dialect.systemNamespace;
  const manager = serverManager(dialect);
  const spec: Lease['spec'] = {
    holderIdentity: name,
    leaseDurationSeconds: durationSeconds,
    renewTime: formatMicroTime(clock.nowMs()),
  };
  const fields = { kind: 'Lease', apiVersion: `${dialect.group('coordination')}/v1` };
  const metadata = { name, namespace, labels: componentLabel(dialect) };
  const stored = served.store.cache.get(keyOf(served.store, namespace, name));
  if (stored === undefined) {
    const value = { ...fields, metadata, spec };
    await createObject(served, { namespace, body: { kind: 'value', value }, manager, options });
    return;
  }
  const value = { ...fields, metadata: { ...metadata, resourceVersion: String(stored.revision) }, spec };
  const change = { kind: 'replace', body: { kind: 'value', value } } as const;
  await updateObject(served, { namespace, name, subresource: '', change, manager, options });
}

const componentLabel = (dialect: Dialect): Record<string, string> => ({
  [dialect.spell('orch.io/component')]: dialect.spell('orch-apiserver'),
});

/** Those without a time or a duration count as expired. */
function expiredLeases({ store }: ServedKind, { dialect, clock }: IdentityLeaseOptions): string[] {
  const prefix = `${store.keyPrefix}${dialect.systemNamespace}/`;
  const [[key, value] = ['', '']] = Object.entries(componentLabel(dialect));
  const { objects } = store.cache.list({ prefix, matches: ({ labels }) => labels[key] === value });
  return objects.flatMap((object) => {
    const { metadata, spec } = decodeStored(object) as unknown as Lease; // the resource holds nothing else
    const { renewTime, leaseDurationSeconds } = spec;
    const isLive =
      renewTime != null &&
      leaseDurationSeconds !== undefined &&
      Date.parse(renewTime) + leaseDurationSeconds * 1000 >= clock.nowMs();
    return isLive ? [] : [metadata.name ?? ''];
  });
}
