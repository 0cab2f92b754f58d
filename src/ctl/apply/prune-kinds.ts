import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import defaultKinds from './prune-default-kinds.json' with { type: 'json' };

/** A kind that somebody named, before the server was asked for it. */
interface WantedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * The resources of `--prune-whitelist`, undefined when it is empty: then the release's own list counts, which is looked
 * up when everything has been applied.
 *
 * @throws CtlError for an entry that is no `group/version/kind` (`core` is the core group) or that nobody serves
 */
export async function readPruneWhitelist(
  ctl: Ctl,
  entries: readonly string[],
): Promise<readonly DiscoveredResource[] | undefined> {
  if (entries.length === 0) return undefined;
  const resources: DiscoveredResource[] = [];
  for (const entry of entries) {
    const [group = '', version, kind, ...rest] = entry.split('/');
    if (version === undefined || kind === undefined || rest.length > 0) {
      throw new CtlError(`invalid GroupVersionKind format: ${entry}, please follow <group/version/kind>`);
    }
    const wanted = { group: group === 'core' ? '' : group, version, kind };
    const found = await findKind(ctl, wanted);
    if (found === undefined) throw new CtlError(noMatch(wanted));
    resources.push(found);
  }
  return resources;
}

/** The resources that the release prunes when nothing else is asked for. @throws CtlError when one is not served */
export async function defaultPruneResources(ctl: Ctl): Promise<readonly DiscoveredResource[]> {
  const resources: DiscoveredResource[] = [];
  for (const wanted of defaultKinds) {
    const found = await findKind(ctl, wanted);
    if (found === undefined) {
      const scope = `Namespaced=${wanted.isNamespaced}`;
      throw new CtlError(
        `error retrieving RESTMappings to prune: invalid resource ${formatKind(wanted)}, ${scope}: ${noMatch(wanted)}`,
      );
    }
    resources.push(found);
  }
  return resources;
}

/** `apps/v1, Kind=Deployment`: a kind as messages of the client of release 1.20 show it. */
export function formatKind({ group, version, kind }: WantedKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

async function findKind(ctl: Ctl, wanted: WantedKind): Promise<DiscoveredResource | undefined> {
  try {
    return await ctl.findKind(apiVersionOf(wanted), wanted.kind, '');
  } catch (error) {
    // It blames a file, and no file is at fault here.
    if (error instanceof CtlError) return undefined;
    throw error;
  }
}

function noMatch(wanted: WantedKind): string {
  return `no matches for kind ${JSON.stringify(wanted.kind)} in version ${JSON.stringify(apiVersionOf(wanted))}`;
}

function apiVersionOf({ group, version }: WantedKind): string {
  return group === '' ? version : `${group}/${version}`;
}
