import { convertAll, type ListResult, listObjects, validateListQuery } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseListQuery } from '../request/options.ts';
import { respondInPieces } from '../streaming/respond-in-pieces.ts';
import type { EndpointHandler, StoredEndpoint } from './endpoint.ts';
import { listBody } from './list-body.ts';
import { parseSelection } from './selection.ts';
import { notOneObject } from './unfit-form.ts';
import { cachedBytes } from './write-object.ts';

/** GET of a collection. */
export const handleList: EndpointHandler = async (exchange, endpoint) => {
  const query = parseListQuery(exchange.query);
  validateListQuery(query, endpoint.context.metaGroup);
  const selection = parseSelection(exchange, endpoint);
  const result = await listObjects(endpoint.served.store, {
    ...query,
    ...selection,
    signal: () => exchange.signal,
  });
  await writeList(exchange, endpoint, result);
};

/** Answers with a list in the representation that the client asked for. A large one is sent while it is made. */
export async function writeList(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  result: ListResult,
): Promise<void> {
  const { representation } = endpoint;
  if (representation.as === 'PartialObjectMetadata') throw notOneObject(endpoint.served);
  const { served } = endpoint;
  await convertListed(endpoint, result);
  const slice = served.store.cache.slices.begin(1);
  const body = await listBody({ exchange, endpoint, result, representation }, slice);
  const { compresses } = endpoint.context;
  await respondInPieces(exchange, { contentType: representation.contentType, body, slice, compresses });
}

/** Has all that was listed converted where a webhook does that. @throws StatusError 500 when it does not. */
export async function convertListed({ served }: StoredEndpoint, { objects }: ListResult): Promise<void> {
  if (served.store.convertsRemotely === true)
    await convertAll(objects, (object) => cachedBytes(served, object));
}
