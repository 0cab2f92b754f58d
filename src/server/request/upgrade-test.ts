import type { IncomingMessage } from 'node:http';
import { parseTarget } from './path.ts';
import { parseRequestInfo } from './request-info.ts';

/** Subresources whose backends decide what the connection becomes. */
const connectingSubresources = new Set(['attach', 'exec', 'portforward', 'proxy']);

/**
 * Which requests that ask for another protocol (`Upgrade`) may have their connection: WebSockets for watches and logs, and
 * any where another server decides. Others are answered as if they had not asked, as by release 1.20.
 */
export function upgradeTest(
  isRemote: (path: string) => boolean,
): (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>) => boolean {
  return ({ method = 'GET', url = '/', headers }) => {
    const target = parseTarget(url);
    if (target === undefined) return false;
    const { path, segments, query } = target;
    if (isRemote(path)) return true;
    const { verb, subresource } = parseRequestInfo(method, path, segments, query);
    if (connectingSubresources.has(subresource)) return true;
    return (verb === 'watch' || subresource === 'log') && headers.upgrade?.toLowerCase() === 'websocket';
  };
}
