import { asJsonObject, asList, asText, type JsonObject, ownValue } from '../../base/index.ts';
import { parseDurationMs } from '../../machinery/go-values/index.ts';
import type { PodSample, Reading } from './readings.ts';
import { milliOf } from './replica-count.ts';

/** When a custom metric does not say over what time it was measured. */
const defaultWindowMs = 60_000;

const failed = (message: string): Reading => ({ kind: 'failed', message });

/**
 * What pods use of a resource, as the resource metrics API lists it; `container` empty: all of them together. Pods of which a
 * container was not measured are left out.
 *
 * @throws QuantityError, DurationError
 */
export function decodePodMetrics(list: unknown, resource: string, container: string): Reading {
  const items = asList(asJsonObject(list).items).map(asJsonObject);
  if (items.length === 0) return failed('no metrics returned from resource metrics API');
  const samples = new Map<string, PodSample>();
  for (const item of items) {
    const { name, namespace } = asJsonObject(item.metadata);
    const containers = asList(item.containers).map(asJsonObject);
    const counted = container === '' ? containers : containers.filter((each) => each.name === container);
    if (container !== '' && counted.length === 0) {
      const pod = `${asText(namespace)}/${asText(name)}`;
      return failed(
        `failed to get container metrics: container ${container} not present in metrics for pod ${pod}`,
      );
    }
    const usage = counted.map((each) => ownValue(asJsonObject(each.usage), resource));
    if (usage.length === 0 || usage.includes(undefined)) continue;
    const milli = usage.reduce((total: bigint, used) => total + milliOf(String(used)), 0n);
    const atMs = Date.parse(asText(item.timestamp));
    samples.set(asText(name), { milli, atMs, windowMs: parseDurationMs(asText(item.window) || '0') });
  }
  return { kind: 'pods', samples };
}

/** A metric of many pods, as the custom metrics API lists it. @throws QuantityError */
export function decodeCustomMetrics(list: unknown): Reading {
  const items = valuesIn(list);
  if (items.length === 0) return failed('no metrics returned from custom metrics API');
  const samples = new Map<string, PodSample>();
  for (const item of items) {
    const seconds = item.windowSeconds ?? item.window;
    samples.set(asText(asJsonObject(item.describedObject).name), {
      milli: milliOf(String(item.value)),
      atMs: Date.parse(asText(item.timestamp)),
      windowMs: typeof seconds === 'number' ? seconds * 1000 : defaultWindowMs,
    });
  }
  return { kind: 'pods', samples };
}

/** A metric of one object, as the custom metrics API gives it. @throws QuantityError */
export function decodeObjectMetric(list: unknown): Reading {
  const items = valuesIn(list);
  const [item] = items;
  if (item === undefined || items.length > 1) {
    const found = `the custom metrics API server returned ${items.length} results when we asked for exactly one`;
    return failed(`unable to fetch metrics from custom metrics API: ${found}`);
  }
  return { kind: 'total', milli: milliOf(String(item.value)) };
}

/** All values of an external metric, added up. @throws QuantityError */
export function decodeExternalMetrics(list: unknown): Reading {
  const items = valuesIn(list);
  if (items.length === 0) return failed('no metrics returned from external metrics API');
  return { kind: 'total', milli: items.reduce((total, { value }) => total + milliOf(String(value)), 0n) };
}

const valuesIn = (list: unknown): Readonly<JsonObject>[] =>
  asList(asJsonObject(list).items).map(asJsonObject);
