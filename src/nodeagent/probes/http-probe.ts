import type { HTTPGetAction, HTTPHeader } from '../../apis/types/core-v1.ts';
import { findProbePort } from './handler-port.ts';
import { joinHostPort } from './host-port.ts';
import { GetError, getPage, type HttpAnswer, type HttpHeaders } from './http-get.ts';
import { toHttpTarget } from './http-target.ts';
import { describeNetworkFailure } from './network-failure.ts';
import type { HandlerResult, HandlerTarget } from './probe-handlers.ts';
import { type Attempt, isTimeout } from './timed-attempt.ts';

/**
 * Sends a GET request to a container: statuses from 200 to 399 are a success. Redirects are followed to the same host
 * only.
 */
export async function probeHttp(
  { scheme, host, port, path, httpHeaders }: HTTPGetAction,
  { container, podIp }: HandlerTarget,
  { userAgent, signal }: Attempt & { readonly userAgent: string },
): Promise<HandlerResult> {
  const isSecure = scheme?.toUpperCase() === 'HTTPS';
  const address = { isSecure, host: host || (podIp ?? ''), port: findProbePort(port, container) };
  const target = toHttpTarget(address, path ?? '');
  const headers = probeHeaders(httpHeaders, userAgent);
  try {
    return judge(await getPage(target, { headers, followsTo: (next) => next === target.host, signal }));
  } catch (error) {
    if (!(error instanceof GetError)) throw error;
    return describe(error, isTimeout(signal));
  }
}

function judge({ status, body }: HttpAnswer): HandlerResult {
  if (status >= 200 && status < 400) {
    return { outcome: status < 300 ? 'success' : 'warning', output: new TextDecoder().decode(body) };
  }
  return { outcome: 'failure', output: `HTTP probe failed with statuscode: ${status}` };
}

/** No answer is a failure; an answer that breaks off is `unknown`. */
function describe({ phase, target, cause }: GetError, isLate: boolean): HandlerResult {
  const { host, port, url } = target;
  if (phase === 'reading') {
    const output = isLate
      ? 'context deadline exceeded (Client.Timeout or context cancellation while reading body)'
      : 'unexpected EOF';
    return { outcome: 'unknown', output };
  }
  const dialing = `dial tcp ${joinHostPort(host, port)}: i/o timeout`;
  const late = phase === 'connecting' ? dialing : 'context deadline exceeded';
  const text = isLate
    ? `${late} (Client.Timeout exceeded while awaiting headers)`
    : describeNetworkFailure(cause, host, port);
  return { outcome: 'failure', output: `Get "${url}": ${text}` };
}

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
function probeHeaders(desired: readonly HTTPHeader[] | undefined, userAgent: string): HttpHeaders {
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
