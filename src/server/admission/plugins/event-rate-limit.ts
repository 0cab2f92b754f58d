import type { Event } from '../../../apis/types/core-v1.ts';
import { ExpiringCache, TokenBucket } from '../../../base/index.ts';
import { otherFailure, type StatusError } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import type { EventLimit } from '../plugin-configurations.ts';
import { objectsOf } from '../pod-attributes.ts';

/**
 * EventRateLimit: bounds how often events are written, of the whole server or of a namespace, a user, a source and its object.
 * Source: "Using Admission Controllers"; `plugin/pkg/admission/eventratelimit`.
 *
 * @throws RangeError when it is not configured.
 */
export function eventRateLimit({ options }: PluginSources): AdmissionPlugin {
  const { eventLimits = [], clock } = options;
  if (eventLimits.length === 0 || clock === undefined)
    throw new RangeError('EventRateLimit needs limits and a clock');
  const nowMs = () => clock.nowMs();
  const accepts = eventLimits.map((limit) => enforce(limit, nowMs));
  return {
    name: 'EventRateLimit',
    handles: onOperations('CREATE', 'UPDATE'),
    validate(attributes) {
      if (attributes.isDryRun || !isEvent(attributes)) return;
      // Each limit counts each event, and the last one that is reached is told.
      const refusal = accepts
        .map((accept) => accept(attributes))
        .findLast((refused) => refused !== undefined);
      if (refusal !== undefined) throw refusal;
    },
  };
}

/** Events of the core group only: in release 1.20 those that are written in the other group are not limited. */
function isEvent({ resource, kind, forms }: AdmissionAttributes): boolean {
  return (
    resource.resource === 'events' && (forms?.requested.kind ?? kind).group === '' && kind.kind === 'Event'
  );
}

type Enforce = (attributes: AdmissionAttributes) => StatusError | undefined;

function enforce(limit: EventLimit, nowMs: () => number): Enforce {
  const buckets = new ExpiringCache<TokenBucket>({ maxEntries: limit.cacheSize, nowMs });
  const keyOf = keys[limit.type];
  return (attributes) => {
    const key = keyOf(attributes);
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = new TokenBucket({ perSecond: limit.qps, burst: limit.burst }, nowMs());
      buckets.set(key, bucket, Number.POSITIVE_INFINITY);
    }
    if (bucket.tryTake(nowMs())) return undefined;
    const text = `Too many requests: limit reached on type ${limit.type} for key ${key}`;
    return otherFailure(429, 'TooManyRequests', text);
  };
}

/** What is limited together. */
const keys: Readonly<Record<EventLimit['type'], (attributes: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject(attributes) {
    const { source, involvedObject } = objectsOf<Event>(attributes).object ?? {};
    const { kind, namespace, name, uid, apiVersion } = involvedObject ?? {};
    return [source?.component, source?.host, kind, namespace, name, uid, apiVersion].join('');
  },
};
