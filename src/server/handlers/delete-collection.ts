import { deleteCollection, validateListQuery } from '../../registry/index.ts';
import { parseDeleteOptions, parseListQuery } from '../request/options.ts';
import { readDeleteOptions } from './delete.ts';
import type { EndpointHandler } from './endpoint.ts';
import { writeList } from './list.ts';
import { parseSelection } from './selection.ts';
import { writeOptions } from './write-options.ts';

/** DELETE of a collection. */
export const handleDeleteCollection: EndpointHandler = async (exchange, endpoint) => {
  const { context } = endpoint;
  const query = parseListQuery(exchange.query, false);
  validateListQuery(query, context.metaGroup);
  const selection = parseSelection(exchange, endpoint);
  const body = await readDeleteOptions(exchange, context);
  const { deleteOptions, isDryRun } = parseDeleteOptions(exchange.query, body, context.metaGroup);
  const result = await deleteCollection(endpoint.served, {
    list: { ...query, ...selection, signal: () => exchange.signal },
    deleteOptions,
    workers: context.deleteCollectionWorkers,
    options: writeOptions(exchange, context, { isDryRun }),
  });
  await writeList(exchange, endpoint, result);
};
