import { asJsonObject, asText, isJsonObject } from '../../base/index.ts';
import { createResourceMapper, type DiscoveredResource } from '../../client/discovery/index.ts';
import { preferredResources } from '../api-resources.ts';
import type { Ctl } from '../ctl.ts';
import { targetPath, typeName } from '../resource/target.ts';
import { behind, type Candidate, candidatesOf } from './candidate.ts';

/** More names than this help nobody. */
const maxNames = 2000;

/** Types, those that are named alike in two groups with the group; short names and categories when no plural begins so. */
export async function offerTypes(ctl: Ctl, current: string): Promise<Candidate[]> {
  const discovery = await (await ctl.discovery()).get();
  const mapper = createResourceMapper(discovery);
  const isFirst = (one: DiscoveredResource) => mapper.find(one.name)?.group === one.group;
  const plurals = preferredResources(discovery)
    .filter(({ verbs }) => verbs.includes('get') || verbs.includes('list'))
    .map((one) => ({ text: isFirst(one) ? one.name : typeName(one), help: one.kind }));
  if (plurals.some(({ text }) => text.startsWith(current))) return plurals;
  const categories = new Set(discovery.resources.flatMap((one) => one.categories));
  return candidatesOf([...mapper.names(), ...categories]);
}

/** As `offerTypes`, for the last of several types with commas between them. */
export async function offerTypeList(ctl: Ctl, current: string): Promise<Candidate[]> {
  const start = current.lastIndexOf(',') + 1;
  return behind(current.slice(0, start), await offerTypes(ctl, current.slice(start)));
}

/** Names of the objects of a type in the namespace of the command line. */
export async function offerNames(ctl: Ctl, type: string): Promise<Candidate[]> {
  const resource = createResourceMapper(await (await ctl.discovery()).get()).find(type);
  if (resource === undefined) return [];
  const group = ctl.dialect.group('meta');
  const list = await getJson(ctl, await pathOf(ctl, resource), {
    accept: `application/json;as=PartialObjectMetadataList;v=v1;g=${group},application/json`,
    query: { limit: maxNames },
  });
  const { items } = asJsonObject(list);
  if (!Array.isArray(items)) return [];
  return candidatesOf(items.map((item) => asText(asJsonObject(asJsonObject(item).metadata).name)));
}

/** `TYPE [NAME...]` or `TYPE/NAME...`, of which `args` are typed. */
export async function offerObjects(
  ctl: Ctl,
  [first, ...others]: readonly string[],
  current: string,
): Promise<Candidate[]> {
  const slash = current.indexOf('/') + 1;
  if (slash > 0) return behind(current.slice(0, slash), await offerNames(ctl, current.slice(0, slash - 1)));
  if (first === undefined) return offerTypeList(ctl, current);
  if (first.includes('/'))
    return (await offerTypes(ctl, current)).map(({ text, help }) => ({ text: `${text}/`, help }));
  const names = await Promise.all(first.split(',').map((type) => offerNames(ctl, type)));
  return names.flat().filter(({ text }) => !others.includes(text));
}

/** A pod by its name, or another object that has pods as `TYPE/NAME`. */
export async function offerPods(ctl: Ctl, current: string): Promise<Candidate[]> {
  return current.includes('/') ? offerObjects(ctl, [], current) : offerNames(ctl, 'pods');
}

/** Containers of what `offerPods` offered. */
export async function offerContainers(ctl: Ctl, pod: string | undefined): Promise<Candidate[]> {
  if (pod === undefined) return [];
  const [name = '', type = 'pods'] = pod.split('/').reverse();
  const resource = createResourceMapper(await (await ctl.discovery()).get()).find(type);
  if (resource === undefined) return [];
  const { spec } = asJsonObject(await getJson(ctl, await pathOf(ctl, resource, name)));
  const own = asJsonObject(spec);
  const podSpec = isJsonObject(own.template) ? asJsonObject(own.template.spec) : own;
  const lists = [podSpec.containers, podSpec.initContainers, podSpec.ephemeralContainers];
  const containers = lists.flatMap((list) => (Array.isArray(list) ? list : []));
  return candidatesOf(containers.map((container) => asText(asJsonObject(container).name)));
}

async function pathOf(ctl: Ctl, resource: DiscoveredResource, name?: string): Promise<string> {
  const namespace = resource.isNamespaced ? (await ctl.context()).namespace : '';
  return targetPath({ resource, namespace, ...(name === undefined ? {} : { name }) });
}

async function getJson(
  ctl: Ctl,
  path: string,
  more: { readonly accept?: string; readonly query?: Readonly<Record<string, number>> } = {},
): Promise<unknown> {
  return (await ctl.client()).json({ method: 'GET', path, signal: ctl.io.signal, ...more });
}
