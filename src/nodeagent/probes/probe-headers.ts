import type { HTTPHeader } from '../../apis/types/core-v1.ts';
import type { HttpHeaders } from './http-get.ts';

/** Headers that describe a body. Probes have none; a server would wait for it. */
const framing: ReadonlySet<string> = new Set([
  'Content-Length',
  'Transfer-Encoding',
  'Trailer',
  'Connection',
  'Upgrade',
]);

/** Default headers; an empty value of the pod's author removes them. */
const removable = ['User-Agent', 'Accept'] as const;

/** Headers of a probe: those that its author wants, over the agent's own. */
export function probeHeaders(desired: readonly HTTPHeader[] | undefined, userAgent: string): HttpHeaders {
  const headers = new Map<string, string[]>();
  for (const { name, value } of desired ?? []) {
    const canonical = canonicalName(name);
    if (!framing.has(canonical)) headers.set(canonical, [...(headers.get(canonical) ?? []), value]);
  }
  if (!headers.has('User-Agent')) headers.set('User-Agent', [userAgent]);
  if (!headers.has('Accept')) headers.set('Accept', ['*/*']);
  for (const name of removable) if (headers.get(name)?.[0] === '') headers.delete(name);
  return Object.fromEntries([...headers].map(([name, values]) => [name, toValue(name, values)]));
}

/** The name of the server is sent once. */
function toValue(name: string, values: string[]): string | string[] {
  const [first = ''] = values;
  return name === 'Host' || name === 'User-Agent' || values.length === 1 ? first : values;
}

/** `x-my-header` as `X-My-Header`. */
function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
