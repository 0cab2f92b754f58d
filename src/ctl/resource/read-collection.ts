import { asJsonObject, asText } from '../../base/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import { isReason, notFound, StatusError } from '../../machinery/errors/index.ts';
import { explainPast, pastQuery } from './read-past.ts';
import { type Target, targetPath } from './target.ts';

/** How a collection is read. */
export interface ReadOptions {
  /** Objects per request; 0: all at once. */
  readonly chunkSize: number;
  readonly accept?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** What there was at this version, as `parseMoment` gives it; also an object comes in a list then. */
  readonly at?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads an object, or a collection chunk by chunk: yields each answer's document. @throws as `RestClient.json` */
export async function* readDocuments(
  client: RestClient,
  target: Target,
  options: ReadOptions,
): AsyncGenerator<unknown> {
  const { at } = options;
  const path = targetPath(at === undefined ? target : { ...target, name: undefined });
  let continueToken = '';
  do {
    const isCollection = target.name === undefined || at !== undefined;
    const request = {
      method: 'GET',
      path,
      accept: options.accept,
      signal: options.signal,
      // A version that is not there yet would be waited for.
      isRetried: at === undefined,
      query: {
        ...options.query,
        labelSelector: target.labelSelector,
        fieldSelector: target.fieldSelector,
        limit: isCollection && options.chunkSize > 0 ? options.chunkSize : undefined,
        continue: continueToken,
        ...(at !== undefined && continueToken === '' ? pastQuery(at, target) : {}),
      },
    } as const;
    let document: unknown;
    try {
      document = await client.json(request);
    } catch (error) {
      if (at !== undefined) throw explainPast(error, at);
      throw isCollection ? explainList(error, target) : await explainGet(error, client, target);
    }
    if (at !== undefined) assertFound(document, target);
    yield document;
    continueToken = isCollection ? continueOf(document) : '';
  } while (continueToken !== '');
}

/** @throws StatusError 404 for an object that did not exist */
function assertFound(document: unknown, { name, resource: { group, name: resource } }: Target): void {
  const { items, rows } = asJsonObject(document);
  const found = items ?? rows;
  if (name !== undefined && !(Array.isArray(found) && found.length > 0)) {
    throw notFound({ group, resource }, name);
  }
}

/** Says what was looked for, as the client of release 1.20 does when a server does not understand the question. */
function explainList(error: unknown, { resource, labelSelector, fieldSelector }: Target): unknown {
  if (!(error instanceof StatusError) || (error.code !== 400 && error.code !== 404)) return error;
  const what = JSON.stringify(`${resource.group}/${resource.version}, Resource=${resource.name}`);
  const selectors = `label selector ${JSON.stringify(labelSelector ?? '')}, field selector ${JSON.stringify(fieldSelector ?? '')}`;
  const lead =
    labelSelector || fieldSelector
      ? `Unable to find ${what} that match ${selectors}`
      : `Unable to list ${what}`;
  return new StatusError({ ...error.status, message: `${lead}: ${error.message}` }, { cause: error });
}

/** An object that is missing because its namespace is: the namespace is the better answer. */
async function explainGet(error: unknown, client: RestClient, { namespace }: Target): Promise<unknown> {
  if (!isReason(error, 'NotFound') || namespace === '' || namespace === 'default') return error;
  try {
    await client.send({ method: 'GET', path: `/api/v1/namespaces/${encodeURIComponent(namespace)}` });
  } catch (namespaceError) {
    if (isReason(namespaceError, 'NotFound')) return namespaceError;
  }
  return error;
}

function continueOf(document: unknown): string {
  return asText(asJsonObject(asJsonObject(document).metadata).continue);
}
