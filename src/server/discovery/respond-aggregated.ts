import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseAccept } from '../request/media-type.ts';
import { isKnownTag, respondNotModified } from '../request/not-modified.ts';
import { respond } from '../request/respond.ts';
import { acceptsGzip, compressedFromBytes } from '../streaming/compress.ts';
import type { AggregatedDocuments, DiscoveryRoot } from './aggregated-documents.ts';

const kind = 'APIGroupDiscoveryList';
const versions = ['v2', 'v2beta1'] as const;
const jsonTypes = new Set(['application/json', 'application/*', '*/*']);

/** The kind in which a client wants the document. */
export interface AggregatedForm {
  readonly group: string;
  readonly version: (typeof versions)[number];
}

/**
 * The form of the aggregated document that an `Accept` header asks for; undefined where it asks for plain discovery first, or for
 * what is not offered. Only JSON is.
 */
export function chooseAggregated(accept: string | undefined, group: string): AggregatedForm | undefined {
  if (accept?.includes(kind) !== true) return undefined;
  for (const { type, parameters } of parseAccept(accept)) {
    const { as, g, v, sv = '', stream = '' } = parameters;
    if (as === undefined) return undefined;
    const version = versions.find((name) => name === v);
    const isPlain = sv === '' && (stream === '' || stream === 'watch');
    if (as === kind && g === group && version !== undefined && isPlain && jsonTypes.has(type))
      return { group, version };
  }
  return undefined;
}

/** Answers with the aggregated document of a root, or 304 when the client has it already. */
export async function respondAggregated(
  exchange: Exchange,
  documents: AggregatedDocuments,
  { root, form: { group, version } }: { readonly root: DiscoveryRoot; readonly form: AggregatedForm },
): Promise<void> {
  const document = await documents.get(root);
  const headers = { etag: document.etag, vary: 'Accept' };
  if (isKnownTag(exchange, document.etag)) return respondNotModified(exchange, headers);
  const apiVersion = formatGroupVersion(group, version);
  const body = Buffer.concat([
    Buffer.from(`{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":{},"items":`),
    document.items,
    Buffer.from('}\n'),
  ]);
  const contentType = `application/json;g=${group};v=${version};as=${kind}`;
  if (body.length <= compressedFromBytes || !acceptsGzip(exchange.request)) {
    respond(exchange, { code: 200, contentType, body, headers });
    return;
  }
  const zipped = await documents.zip(document, apiVersion, body);
  respond(exchange, {
    code: 200,
    contentType,
    body: zipped,
    headers: { ...headers, 'content-encoding': 'gzip', vary: 'Accept, Accept-Encoding' },
  });
}
