import type { RestClient } from '../../client/rest/index.ts';
import { type Target, targetPath } from './target.ts';

/** How a collection is read. */
export interface ReadOptions {
  /** Objects per request; 0: all at once. */
  readonly chunkSize: number;
  readonly accept?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads an object, or a collection chunk by chunk: yields each answer's document. @throws as `RestClient.json` */
export async function* readDocuments(
  client: RestClient,
  target: Target,
  options: ReadOptions,
): AsyncGenerator<unknown> {
  const path = targetPath(target);
  let continueToken = '';
  do {
    const isCollection = target.name === undefined;
    const document: unknown = await client.json({
      method: 'GET',
      path,
      accept: options.accept,
      signal: options.signal,
      query: {
        ...options.query,
        labelSelector: target.labelSelector,
        fieldSelector: target.fieldSelector,
        limit: isCollection && options.chunkSize > 0 ? options.chunkSize : undefined,
        continue: continueToken,
      },
    });
    yield document;
    continueToken = isCollection ? continueOf(document) : '';
  } while (continueToken !== '');
}

function continueOf(document: unknown): string {
  const { metadata } = (document ?? {}) as { metadata?: { continue?: unknown } | null }; // read by name
  return typeof metadata?.continue === 'string' ? metadata.continue : '';
}
