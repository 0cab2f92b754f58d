import { errorText } from '../../base/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { preferredResources } from '../api-resources.ts';
import type { Ctl } from '../ctl.ts';
import { formatAge } from '../printers/human-duration.ts';
import { readTable, type TableDocument } from '../printers/table-document.ts';
import { readDocuments } from './read-collection.ts';
import { type Target, typeName } from './target.ts';

/** Types that are asked for side by side. */
const maxRequests = 8;

/**
 * Lists everything of a namespace, or of all when it is empty, type by type, but for events: as tables that hold metadata
 * only, so that no contents are read. Returns the types that could not be listed, and why.
 */
export async function readAllTypes(
  ctl: Ctl,
  namespace: string,
  onTable: (table: TableDocument, resource: DiscoveredResource) => void,
): Promise<readonly UnreadType[]> {
  const discovery = await (await ctl.discovery()).get();
  const resources = preferredResources(discovery)
    .filter(
      ({ name, group, verbs, isNamespaced }) =>
        verbs.includes('list') &&
        // Garbage collectors leave others alone too: reviews, measurements, states of components.
        verbs.includes('delete') &&
        name !== 'events' &&
        // What is left of this group is deprecated, and served by others too.
        group !== 'extensions' &&
        (namespace === '' || isNamespaced),
    )
    .values();
  const unread: UnreadType[] = discovery.failures.map(({ groupVersion, message }) => ({
    type: groupVersion,
    message,
  }));
  const readOn = async (): Promise<void> => {
    // All take from the same resources.
    for (const resource of resources) {
      try {
        for await (const table of readTables(ctl, { resource, namespace })) onTable(table, resource);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        unread.push({ type: typeName(resource), message: errorText(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: maxRequests }, readOn));
  return unread;
}

/** A type that could not be listed. */
export interface UnreadType {
  /** As users write it, or a group and version of which no types are known. */
  readonly type: string;
  readonly message: string;
}

/** An object or a collection as tables that hold metadata only. @throws as `readDocuments` */
export async function* readTables(ctl: Ctl, target: Target): AsyncGenerator<TableDocument> {
  const options = {
    chunkSize: 500,
    accept: `application/json;as=Table;v=v1;g=${ctl.dialect.group('meta')},application/json`,
    query: { includeObject: 'Metadata' },
    signal: ctl.io.signal,
  };
  for await (const document of readDocuments(await ctl.client(), target, options))
    yield readTable(document, (time) => formatAge(time, ctl.io.clock.nowMs()));
}
