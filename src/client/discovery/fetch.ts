import { StatusError } from '../../machinery/errors/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { hostOf, type RestClient, type RestResponse, TransportError } from '../rest/index.ts';
import { decodeAggregated, decodeCoreVersions, decodeGroups, decodeResources } from './decode.ts';
import type { DiscoveredGroup, DiscoveredResource, Discovery } from './model.ts';

/** Documents that say what a server serves: the core group's, and that of all others. */
export type DiscoveryRoot = '/api' | '/apis';

/** What a server serves, with the tags of its documents where it sent some. */
export interface TaggedDiscovery {
  readonly discovery: Discovery;
  readonly etags: Readonly<Partial<Record<DiscoveryRoot, string>>>;
}

/** How discovery is asked for. */
export interface FetchDiscoveryOptions {
  /**
   * Group of the aggregated documents of later releases (`apidiscovery.orch.io`), which servers that have them are asked for;
   * others answer the same requests as ever. Undefined: not asked for.
   */
  readonly aggregatedGroup?: string | undefined;
  /** What is known from before, without failures: of documents that did not change it is taken. */
  readonly known?: TaggedDiscovery | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The discovery of one document. */
interface Part extends Discovery {
  readonly etag?: string | undefined;
}

/**
 * Asks a server for everything that it serves: in two requests where it has aggregated documents, else in one more for each group
 * version. A group version that fails is noted and left out.
 *
 * @throws StatusError or TransportError when the list of groups itself cannot be had.
 */
export async function fetchDiscovery(
  client: RestClient,
  options: FetchDiscoveryOptions = {},
): Promise<TaggedDiscovery> {
  const roots = ['/api', '/apis'] as const;
  const parts = await Promise.all(roots.map((root) => fetchPart(client, root, options)));
  const tags = roots.map((root, index) => [root, parts[index]?.etag] as const);
  return {
    discovery: {
      groups: parts.flatMap(({ groups }) => groups),
      resources: parts.flatMap(({ resources }) => resources),
      failures: parts.flatMap(({ failures }) => failures),
    },
    etags: Object.fromEntries(tags.filter(([, etag]) => etag !== undefined)),
  };
}

async function fetchPart(
  client: RestClient,
  root: DiscoveryRoot,
  options: FetchDiscoveryOptions,
): Promise<Part> {
  const { aggregatedGroup, known, signal } = options;
  const etag = known?.etags[root];
  const accept = aggregatedGroup === undefined ? undefined : acceptOf(aggregatedGroup);
  try {
    const answer = await client.send({
      method: 'GET',
      path: root,
      accept,
      ...(etag === undefined ? {} : { headers: { 'if-none-match': etag } }),
      signal,
    });
    if (answer.status === 304 && known !== undefined) return { ...partOf(known.discovery, root), etag };
    const document = parse(client, answer);
    if (isAggregated(answer))
      return { ...decodeAggregated(document), etag: String(answer.headers.etag ?? '') || undefined };
    const groups = root === '/api' ? coreGroup(document) : decodeGroups(document);
    return await fetchVersions(client, groups, signal);
  } catch (error) {
    // A server may serve no core group.
    if (root === '/api' && error instanceof StatusError && error.code === 404) return nothing;
    throw error;
  }
}

const nothing: Part = { groups: [], resources: [], failures: [] };

const kind = 'APIGroupDiscoveryList';

/** As client-go asks: the newest form first, plain documents last. */
const acceptOf = (group: string): string =>
  `${['v2', 'v2beta1'].map((version) => `application/json;g=${group};v=${version};as=${kind}`).join()},application/json`;

const isAggregated = ({ headers }: RestResponse): boolean =>
  String(headers['content-type'] ?? '').includes(`as=${kind}`);

function parse(client: RestClient, { body }: RestResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new TransportError('protocol', 'the answer is no discovery document', {
      host: hostOf(client.server),
      cause,
    });
  }
}

function partOf({ groups, resources }: Discovery, root: DiscoveryRoot): Part {
  const isIn = (group: string): boolean => (group === '') === (root === '/api');
  return {
    groups: groups.filter(({ name }) => isIn(name)),
    resources: resources.filter(({ group }) => isIn(group)),
    failures: [],
  };
}

function coreGroup(document: unknown): readonly DiscoveredGroup[] {
  const versions = decodeCoreVersions(document);
  const [preferredVersion] = versions;
  return preferredVersion === undefined ? [] : [{ name: '', preferredVersion, versions }];
}

/** The resources of each version, each asked for by itself. */
async function fetchVersions(
  client: RestClient,
  groups: readonly DiscoveredGroup[],
  signal: AbortSignal | undefined,
): Promise<Part> {
  const failures: { groupVersion: string; message: string }[] = [];
  const lists = await Promise.all(
    groups.flatMap((group) =>
      group.versions.map(async (version): Promise<DiscoveredResource[]> => {
        try {
          const path = group.name === '' ? `/api/${version}` : `/apis/${group.name}/${version}`;
          return decodeResources(group.name, version, await client.json({ method: 'GET', path, signal }));
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
          failures.push({ groupVersion: formatGroupVersion(group.name, version), message: error.message });
          return [];
        }
      }),
    ),
  );
  return { groups, resources: lists.flat(), failures };
}
