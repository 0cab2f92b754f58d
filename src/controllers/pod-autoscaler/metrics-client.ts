import type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
} from '../../apis/types/autoscaling-v2beta2.ts';
import { errorText } from '../../base/index.ts';
import { type ResourcePath, resourcePath } from '../../client/rest/index.ts';
import { formatGroupResource, parseGroupVersion } from '../../machinery/schema/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import type { ControllerContext } from '../controller.ts';
import { explainFailure, Scales } from '../scales.ts';
import {
  decodeCustomMetrics,
  decodeExternalMetrics,
  decodeObjectMetric,
  decodePodMetrics,
} from './decode-metrics.ts';
import type { Reading } from './readings.ts';

/** A metrics server that does not answer for so long has none. */
const timeoutMs = 30_000;
/** Newest first, in which custom metrics are understood. */
const customVersions = ['v1beta2', 'v1beta1'];

/** What the metrics of an autoscaler are about. */
export interface MetricScope {
  readonly namespace: string;
  /** Query text that selects the pods of the target. */
  readonly selector: string;
}

/** Reads metrics from the servers that registered their groups, over the API. */
export class MetricsClient {
  readonly #context: ControllerContext;
  readonly #scales: Scales;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#scales = new Scales(context);
  }

  /** What the metrics APIs say of a metric now. Never rejects: what goes wrong is told in the reading. */
  async read(spec: MetricSpec, scope: MetricScope): Promise<Reading> {
    const { resource, containerResource, pods, object, external } = spec;
    if (resource !== undefined) return this.#readPods(resource.name, '', scope);
    if (containerResource !== undefined) {
      return this.#readPods(containerResource.name, containerResource.container, scope);
    }
    if (pods !== undefined) return this.#readCustom(pods.metric, undefined, scope);
    if (object !== undefined) return this.#readCustom(object.metric, object.describedObject, scope);
    if (external !== undefined) return this.#readExternal(external.metric, scope);
    return { kind: 'failed', message: 'a metric without a source' };
  }

  #readPods(resource: string, container: string, { namespace, selector }: MetricScope): Promise<Reading> {
    const group = this.#context.dialect.group('metrics');
    return this.#attempt('resource', async () => {
      const path = { group, version: 'v1beta1', resource: 'pods', namespace };
      return decodePodMetrics(await this.#get(path, { labelSelector: selector }), resource, container);
    });
  }

  #readCustom(
    { name, selector }: MetricIdentifier,
    object: CrossVersionObjectReference | undefined,
    { namespace, selector: podSelector }: MetricScope,
  ): Promise<Reading> {
    return this.#attempt('custom', async () => {
      const group = this.#context.dialect.group('custom.metrics');
      const version = await this.#customVersion(group);
      const metricLabelSelector = labelSelectorFromObject(selector).toString();
      if (object === undefined) {
        const path = { group, version, namespace, resource: 'pods', name: '*', subresource: name };
        const query = { labelSelector: podSelector, metricLabelSelector };
        return decodeCustomMetrics(await this.#get(path, query));
      }
      const place = await this.#placeOf(object, name);
      return decodeObjectMetric(
        await this.#get({ group, version, namespace, ...place }, { metricLabelSelector }),
      );
    });
  }

  #readExternal({ name, selector }: MetricIdentifier, { namespace }: MetricScope): Promise<Reading> {
    const group = this.#context.dialect.group('external.metrics');
    return this.#attempt('external', async () => {
      const path = { group, version: 'v1beta1', namespace, resource: name };
      const labelSelector = labelSelectorFromObject(selector).toString();
      return decodeExternalMetrics(await this.#get(path, { labelSelector }));
    });
  }

  /** Metrics of the namespace itself have a path of their own. */
  async #placeOf(
    { apiVersion = '', kind, name }: CrossVersionObjectReference,
    metric: string,
  ): Promise<Pick<ResourcePath, 'resource' | 'name' | 'subresource'>> {
    const group = parseGroupVersion(apiVersion)?.group ?? '';
    if (group === '' && kind === 'Namespace') return { resource: 'metrics', name: metric };
    const found = await this.#scales.findResource({ group, version: '', kind });
    if (found === undefined) {
      const groupKind = group === '' ? kind : `${kind}.${group}`;
      throw new Error(
        `unable to map kind ${groupKind} to resource: no matches for kind "${kind}" in group "${group}"`,
      );
    }
    return { resource: formatGroupResource({ group, resource: found.name }), name, subresource: metric };
  }

  async #customVersion(group: string): Promise<string> {
    const { discovery, clock, settings } = this.#context;
    const { groups } = await discovery.read(clock.nowMs() - settings.horizontalPodAutoscalerSyncPeriodMs);
    const found = groups.find(({ name }) => name === group);
    if (found === undefined) throw new Error(`no custom metrics API (${group}) registered`);
    if (customVersions.includes(found.preferredVersion)) return found.preferredVersion;
    const version = customVersions.find((each) => found.versions.includes(each));
    if (version === undefined) throw new Error('no known available metric versions found');
    return version;
  }

  async #get(path: ResourcePath, query: Readonly<Record<string, string>>): Promise<unknown> {
    const { client, signal } = this.#context;
    const request = { path: resourcePath(path), query, accept: 'application/json', timeoutMs, signal };
    try {
      return await client.json({ method: 'GET', ...request });
    } catch (error) {
      throw new Error(explainFailure(error, path));
    }
  }

  async #attempt(api: 'resource' | 'custom' | 'external', read: () => Promise<Reading>): Promise<Reading> {
    try {
      return await read();
    } catch (error) {
      return {
        kind: 'failed',
        message: `unable to fetch metrics from ${api} metrics API: ${errorText(error)}`,
      };
    }
  }
}
