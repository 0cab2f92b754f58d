import { promisify } from 'node:util';
import type { AgentExchange } from './exchange.ts';

const minBytes = 2048;

/** Whether a client takes a body with this coding (RFC 7231, section 5.3.4, without preferences). */
function accepts({ request }: AgentExchange, coding: string): boolean {
  const header = request.headers['accept-encoding'];
  const codings = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  return codings.some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** The body as the client may have it: smaller, with the header that says so. */
export async function compressFor(
  exchange: AgentExchange,
  text: string,
): Promise<{ readonly body: string | Buffer; readonly headers: Readonly<Record<string, string>> }> {
  if (text.length < minBytes || !accepts(exchange, 'gzip')) return { body: text, headers: {} };
  const { gzip } = await import('node:zlib');
  return { body: await promisify(gzip)(text), headers: { 'Content-Encoding': 'gzip' } };
}
