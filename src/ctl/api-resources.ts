import type { DiscoveredResource, Discovery } from '../client/discovery/index.ts';
import type { Ctl } from './ctl.ts';
import { CtlError, UnknownNameError, UsageError } from './errors.ts';
import { createTextTable } from './printers/text-table.ts';
import { apiVersionOf, typeName } from './resource/target.ts';
import { defineVerb } from './verb.ts';

/** `ctl api-resources`. */
export const apiResourcesVerb = defineVerb({
  program: {
    name: 'ctl api-resources',
    summary: 'List the resources that the server has',
    usage: '[flags]',
    options: [
      { name: 'api-group', type: 'string', section: 'Selection', help: 'Only resources of this group.' },
      {
        name: 'namespaced',
        type: 'bool',
        default: true,
        section: 'Selection',
        help: 'Only resources in namespaces, or with =false only others.',
      },
      {
        name: 'verbs',
        type: 'strings',
        section: 'Selection',
        help: 'Only resources with all of these verbs.',
      },
      {
        name: 'cached',
        type: 'bool',
        section: 'Selection',
        help: 'Take what was asked before, if that is not old.',
      },
      {
        name: 'output',
        short: 'o',
        type: 'string',
        suggested: ['name', 'wide'],
        section: 'Output',
        help: 'wide shows the verbs too, name only the names.',
      },
      {
        name: 'sort-by',
        type: 'string',
        suggested: ['kind', 'name'],
        section: 'Output',
        help: 'Sort by name or by kind instead of by group.',
      },
      { name: 'no-headers', type: 'bool', section: 'Output', help: 'Leave out the headings of columns.' },
    ],
  },
  async run(ctl, { options, given, args }) {
    if (args.length > 0) throw new UsageError(`unexpected arguments: [${args.join(' ')}]`);
    const { output = '' } = options;
    const sortBy = options.sortBy ?? '';
    if (!['', 'wide', 'name'].includes(output))
      throw new UnknownNameError(`--output ${output} is not available`, output, ['wide', 'name']);
    if (!['', 'name', 'kind'].includes(sortBy))
      throw new UnknownNameError('--sort-by accepts only name or kind', sortBy, ['name', 'kind']);
    const discovery = await readDiscovery(ctl, options.cached);
    const resources = preferredResources(discovery).filter(
      (resource) =>
        resource.verbs.length > 0 &&
        (options.apiGroup === undefined || resource.group === options.apiGroup) &&
        (!given.has('namespaced') || resource.isNamespaced === options.namespaced) &&
        options.verbs.every((verb) => resource.verbs.includes(verb)),
    );
    const sorted = resources.sort(comparator(sortBy));
    const text =
      output === 'name'
        ? sorted.map((resource) => `${typeName(resource)}\n`).join('')
        : formatResources(sorted, { isWide: output === 'wide', hasHeaders: !options.noHeaders });
    ctl.io.stdout.write(text);
    const [failure] = discovery.failures;
    if (failure !== undefined) {
      throw new CtlError(
        `unable to retrieve the complete list of server APIs: ${failure.groupVersion}: ${failure.message}`,
      );
    }
  },
});

async function readDiscovery(ctl: Ctl, isCached: boolean): Promise<Discovery> {
  const cache = await ctl.discovery();
  return isCached ? cache.get() : cache.refresh();
}

/** Each resource once, in its group's preferred version if it is there. */
export function preferredResources({ groups, resources }: Discovery): DiscoveredResource[] {
  const preferred = new Map(groups.map((group) => [group.name, group.preferredVersion]));
  const chosen = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    const key = typeName(resource);
    if (!chosen.has(key) || preferred.get(resource.group) === resource.version) chosen.set(key, resource);
  }
  return [...chosen.values()];
}

function comparator(sortBy: string): (a: DiscoveredResource, b: DiscoveredResource) => number {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  if (sortBy === 'name') return (a, b) => compare(a.name, b.name);
  if (sortBy === 'kind') return (a, b) => compare(a.kind, b.kind);
  return (a, b) => compare(a.group, b.group) || compare(a.name, b.name);
}

function formatResources(
  resources: readonly DiscoveredResource[],
  { isWide, hasHeaders }: { readonly isWide: boolean; readonly hasHeaders: boolean },
): string {
  const headings = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...(isWide ? ['VERBS'] : [])];
  const rows = resources.map((resource) => [
    resource.name,
    resource.shortNames.join(','),
    apiVersionOf(resource),
    String(resource.isNamespaced),
    resource.kind,
    ...(isWide ? [`[${resource.verbs.join(' ')}]`] : []),
  ]);
  return createTextTable().format(hasHeaders ? [headings, ...rows] : rows);
}
