import type { ApiObject, ListMeta } from '../../machinery/meta/index.ts';
import type { ListPage, QueryValue, RestClient } from '../rest/index.ts';

/** Which list to read, and how. */
export interface ListPagesRequest {
  /** Path of the collection (`resourcePath`). */
  readonly path: string;
  /** Objects for each request. Default 500. */
  readonly pageSize?: number | undefined;
  /** Selectors and the like. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultPageSize = 500;

/**
 * Reads a list page by page, each one asked for when the caller wants it, and keeps none: a hundred thousand objects
 * pass through little memory. Yields at least one page.
 *
 * @throws StatusError or TransportError as the client does; 410 when the list took longer than the server remembers.
 */
export async function* listPages(client: RestClient, request: ListPagesRequest): AsyncGenerator<ListPage> {
  const { path, accept, signal, pageSize: limit = defaultPageSize } = request;
  let continueToken: string | undefined;
  do {
    const query = { ...request.query, limit, continue: continueToken };
    const page = await client.json<ListDocument>({ method: 'GET', path, query, accept, signal });
    yield { items: page.items ?? [], resourceVersion: page.metadata?.resourceVersion ?? '' };
    continueToken = page.metadata?.continue;
  } while (continueToken);
}

interface ListDocument {
  readonly metadata?: ListMeta;
  readonly items?: readonly ApiObject[] | null;
}
