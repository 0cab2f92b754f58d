import { StatusError } from '../../machinery/errors/index.ts';
import type { RestClient } from '../rest/index.ts';
import { decodeCoreVersions, decodeGroups, decodeResources } from './decode.ts';
import type { DiscoveredGroup, DiscoveredResource, Discovery } from './model.ts';

/**
 * Asks a server for everything that it serves. A group version that fails is noted and left out.
 *
 * @throws StatusError or TransportError when the list of groups itself cannot be had.
 */
export async function fetchDiscovery(client: RestClient, signal?: AbortSignal): Promise<Discovery> {
  const [core, named] = await Promise.all([
    readCoreVersions(client, signal),
    client.json({ method: 'GET', path: '/apis', signal }).then(decodeGroups),
  ]);
  const groups: DiscoveredGroup[] = [
    ...(core[0] === undefined ? [] : [{ name: '', preferredVersion: core[0], versions: core }]),
    ...named,
  ];
  const failures: { groupVersion: string; message: string }[] = [];
  const lists = await Promise.all(
    groups.flatMap((group) =>
      group.versions.map(async (version): Promise<DiscoveredResource[]> => {
        try {
          const path = group.name === '' ? `/api/${version}` : `/apis/${group.name}/${version}`;
          return decodeResources(group.name, version, await client.json({ method: 'GET', path, signal }));
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
          failures.push({ groupVersion: joinGroupVersion(group.name, version), message: error.message });
          return [];
        }
      }),
    ),
  );
  return { groups, resources: lists.flat(), failures };
}

/** A server may serve no core group. */
async function readCoreVersions(
  client: RestClient,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  try {
    return decodeCoreVersions(await client.json({ method: 'GET', path: '/api', signal }));
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return [];
    throw error;
  }
}

function joinGroupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
