import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { HtmlRewriter } from './html-rewriter.ts';
import type { BackendAnswer } from './relay.ts';
import { type ProxiedSite, rewriteLink } from './rewrite-location.ts';

/**
 * The body of an answer with its links leading below the proxy, when it is an HTML page in an encoding that can be read;
 * undefined for everything else. It fails when the answer breaks off.
 */
export function rewrittenPage({ headers, body }: BackendAnswer, site: ProxiedSite): Readable | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = headers;
  if (type.split(';')[0]?.trim().toLowerCase() !== 'text/html') return undefined;
  const rewriter = new HtmlRewriter((link) => rewriteLink(link, site));
  const ignore = (): void => {}; // each stream of a pipeline fails with the first that does
  if (encoding === '' || encoding === 'identity') return pipeline(body, rewriter, ignore);
  if (encoding !== 'gzip') return undefined;
  // Flushed with each chunk: a client may be waiting for part of a page.
  const flush = constants.Z_SYNC_FLUSH;
  return pipeline(body, createGunzip({ flush }), rewriter, createGzip({ flush }), ignore);
}
