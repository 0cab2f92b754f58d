import { type Callee, describeDialError } from '../callouts/index.ts';
import { identifyUser } from './identity-headers.ts';
import type { RemoteApi } from './remote-apis.ts';
import type { RemoteClient } from './remote-client.ts';

/** Times that a server is asked before it counts as failing: behind its service may be several. Source: release 1.20. */
const attempts = 5;
const timeoutMs = 5000;

/**
 * Asks the server of an API what it serves, as `user`. Resolves with what is wrong, in release 1.20's words, when it gives
 * no good answer in 5 s; undefined when it does. The answer is not read.
 */
export async function checkDiscovery(
  client: RemoteClient,
  api: RemoteApi,
  { user, signal }: { readonly user: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const ask = () => askOnce(client, api, { user, signal });
  const problem = await ask();
  if (problem === undefined || signal.aborted) return problem;
  const problems = await Promise.all(Array.from({ length: attempts - 1 }, ask));
  return problems.includes(undefined) ? undefined : problems.at(-1);
}

async function askOnce(
  client: RemoteClient,
  api: RemoteApi,
  { user, signal }: { readonly user: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  let callee: Callee;
  try {
    callee = client.locate(api);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const path = api.group === '' ? `/api/${api.version}` : `/apis/${api.group}/${api.version}`;
  const url = `https://${callee.authority}${path}`;
  const failing = (what: string): string => `failing or missing response from ${url}: ${what}`;
  const deadline = AbortSignal.timeout(timeoutMs);
  const headers = {
    ...identifyUser({}, { name: user, groups: ['system:masters'], extra: {} }),
    'user-agent': 'Go-http-client/1.1',
    'accept-encoding': 'gzip',
  };
  try {
    const answer = await client.answer(
      callee,
      { method: 'GET', target: path, headers },
      { signal: AbortSignal.any([deadline, signal]) },
    );
    // The connection is kept: what a small answer says besides is read and dropped.
    answer.on('error', () => {});
    answer.resume();
    const { statusCode: code = 0 } = answer;
    return code >= 200 && code < 300 ? undefined : failing(`bad status from ${url}: ${code}`);
  } catch (error) {
    const timedOut = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    const cause = deadline.aborted ? timedOut : describeDialError(error, callee);
    return failing(`Get ${JSON.stringify(url)}: ${cause}`);
  }
}
