import type { IncomingMessage } from 'node:http';
import type { ApiResource } from '../../apis/resources/index.ts';
import { asJsonObject, errorText } from '../../base/index.ts';
import { describeDialError } from '../../net/dial/index.ts';
import { type Callee, readAnswer } from '../callouts/index.ts';
import { identifyUser } from './identity-headers.ts';
import type { RemoteApi } from './remote-apis.ts';
import type { RemoteClient } from './remote-client.ts';

/** Times that a server is asked before it counts as failing: behind its service may be several. Source: release 1.20. */
const attempts = 5;
const timeoutMs = 5000;

/** Longest list of resources that is read: a thousand times what servers have. */
const maxListBytes = 2 ** 20;

/** How a server is asked. */
export interface CheckOptions {
  /** Who asks. */
  readonly user: string;
  /** Ends the check when nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** Told what the server says that it serves, if that can be read. */
  readonly onResources: (resources: readonly ApiResource[]) => void;
}

/**
 * Asks the server of an API what it serves. Resolves with what is wrong, in release 1.20's words, when it gives no good
 * answer in 5 s; undefined when it does.
 */
export async function checkDiscovery(
  client: RemoteClient,
  api: RemoteApi,
  options: CheckOptions,
): Promise<string | undefined> {
  const ask = () => askOnce(client, api, options);
  const problem = await ask();
  if (problem === undefined || options.signal.aborted) return problem;
  const problems = await Promise.all(Array.from({ length: attempts - 1 }, ask));
  return problems.includes(undefined) ? undefined : problems.at(-1);
}

async function askOnce(
  client: RemoteClient,
  api: RemoteApi,
  options: CheckOptions,
): Promise<string | undefined> {
  let callee: Callee;
  try {
    callee = client.locate(api);
  } catch (error) {
    return errorText(error);
  }
  const target = api.group === '' ? `/api/${api.version}` : `/apis/${api.group}/${api.version}`;
  const url = `https://${callee.authority}${target}`;
  const failing = (what: string): string => `failing or missing response from ${url}: ${what}`;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([deadline, options.signal]);
  const headers = {
    ...identifyUser({}, { name: options.user, groups: ['system:masters'], extra: {} }),
    accept: 'application/json',
    'user-agent': 'Go-http-client/1.1',
  };
  try {
    const answer = await client.answer(callee, { method: 'GET', target, headers }, { signal });
    const { statusCode: code = 0 } = answer;
    if (code < 200 || code >= 300) {
      answer.destroy();
      return failing(`bad status from ${url}: ${code}`);
    }
    const resources = await readResources(answer);
    if (resources !== undefined) options.onResources(resources);
    return undefined;
  } catch (error) {
    const timedOut = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    const cause = deadline.aborted ? timedOut : describeDialError(error, callee);
    return failing(`Get ${JSON.stringify(url)}: ${cause}`);
  }
}

/** What a list of resources says; undefined for anything else. A server that answers with less is available all the same. */
async function readResources(answer: IncomingMessage): Promise<readonly ApiResource[] | undefined> {
  let list: unknown;
  try {
    list = JSON.parse((await readAnswer(answer, maxListBytes)).toString());
  } catch {
    return undefined;
  }
  const { resources } = asJsonObject(list) ?? {};
  return Array.isArray(resources) && resources.every(isResource) ? resources : undefined;
}

function isResource(value: unknown): value is ApiResource {
  const {
    name,
    singularName = '',
    namespaced,
    kind,
    verbs,
    shortNames = [],
    categories = [],
  } = asJsonObject(value) ?? {};
  const areTexts = (list: unknown): boolean =>
    Array.isArray(list) && list.every((one) => typeof one === 'string');
  return (
    [name, singularName, kind].every((text) => typeof text === 'string') &&
    typeof namespaced === 'boolean' &&
    [verbs, shortNames, categories].every(areTexts)
  );
}
