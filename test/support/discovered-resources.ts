import type { ApiClient, JsonObject } from './api-client.ts';
import type { ReviewRequest } from './webhook-configurations.ts';

/** A resource as discovery tells of it. */
export interface DiscoveredResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly kind: ReviewRequest['kind'];
  readonly verbs: readonly string[];
  /** Kinds and verbs of its subresources by name. */
  readonly subresources: ReadonlyMap<string, Pick<DiscoveredResource, 'kind' | 'verbs'>>;
}

/** All resources that a server serves. */
export async function discoverResources(client: ApiClient): Promise<readonly DiscoveredResource[]> {
  const { body } = await client.get('/apis');
  const versions = body.groups.flatMap(({ versions: some }: JsonObject) => some);
  const all = ['v1', ...versions.map(({ groupVersion }: JsonObject) => groupVersion)];
  const lists = await Promise.all(all.map((groupVersion) => resourcesOf(client, groupVersion)));
  return lists.flat();
}

/** Path of a version of a group. */
export const pathOfVersion = ({ group, version }: Pick<DiscoveredResource, 'group' | 'version'>): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

async function resourcesOf(client: ApiClient, groupVersion: string): Promise<readonly DiscoveredResource[]> {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const { body } = await client.get(pathOfVersion({ group, version }));
  const described = (one: JsonObject): Pick<DiscoveredResource, 'kind' | 'verbs'> => ({
    kind: { group: one.group ?? group, version: one.version ?? version, kind: one.kind },
    verbs: one.verbs,
  });
  const list: readonly JsonObject[] = body.resources;
  return list
    .filter(({ name }) => !name.includes('/'))
    .map((one) => ({
      group,
      version,
      resource: one.name,
      isNamespaced: one.namespaced,
      ...described(one),
      subresources: new Map(
        list
          .filter(({ name }) => name.startsWith(`${one.name}/`))
          .map((sub) => [sub.name.slice(one.name.length + 1), described(sub)]),
      ),
    }));
}
