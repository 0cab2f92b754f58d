import { type Clock, errorText, type Logger } from '../base/index.ts';
import { type ClientConfig, loadClientConfig, resolveConnection } from '../client/config/index.ts';
import { authHeaders } from '../client/rest/index.ts';
import { type OperatorSettings, WebhookCaller, type WebhookClientConfig } from '../server/callouts/index.ts';

/** Calls webhooks that files of the operator name, until `opened` is disposed of. They never lead to services. */
export function openOperatorCaller(clock: Clock, opened: AsyncDisposableStack): WebhookCaller {
  const resolveService = ({ name }: { readonly name: string }): never => {
    throw new Error(`service ${name} is not looked up`);
  };
  // As the release calls them: its client has no name of its own for these.
  const caller = new WebhookCaller({ resolveService, userAgent: 'Go-http-client/1.1', clock });
  opened.defer(() => caller.close());
  return caller;
}

/** A client configuration that a flag names: where a webhook is, and who calls it. */
export interface CalleeFile {
  readonly flag: string;
  readonly path: string;
  /** Path at the server, where the configuration names an API server and not a webhook's whole URL. */
  readonly below?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Certificates, keys and tokens that the configuration names are read again after this time, because they expire. */
export const freshMs = 60_000;

/**
 * Reads the client configuration of a webhook. The returned function gives what its files hold now; where they cannot be
 * read any more, what they held before.
 *
 * @throws Error that names the flag, for a file that cannot be read or used.
 */
export async function openCallee({
  flag,
  path,
  below = '',
  clock,
  logger,
}: CalleeFile): Promise<() => WebhookClientConfig> {
  let config: ClientConfig;
  let current: WebhookClientConfig;
  try {
    config = await loadClientConfig({ files: [path], isExplicit: true, isFromEnvironment: false });
    current = calleeOf(config, below);
  } catch (cause) {
    throw new Error(`--${flag}: ${path}: ${errorText(cause)}`, { cause });
  }
  let readAtMs = clock.nowMs();
  return () => {
    if (clock.nowMs() - readAtMs < freshMs) return current;
    readAtMs = clock.nowMs();
    try {
      current = calleeOf(config, below);
    } catch (error) {
      logger.error('files of a webhook cannot be read again', { flag, path, error: errorText(error) });
    }
    return current;
  };
}

/**
 * What an entry of `users` says of who calls, its files read now.
 *
 * @throws Error for files that cannot be read, and for what makes no sense here.
 */
export function settingsOfUser({ users }: ClientConfig, user: string): OperatorSettings | undefined {
  const name = 'webhook';
  const clusters = new Map([[name, { server: 'https://webhook' }]]);
  const contexts = new Map([[name, { cluster: name, user }]]);
  return calleeOf({ users, clusters, contexts, currentContext: name }, '').more;
}

/** @throws Error for what makes no sense here. */
function calleeOf(config: ClientConfig, below: string): WebhookClientConfig {
  if (config.clusters.size === 0)
    throw new Error('invalid configuration: no configuration has been provided');
  const { server, tls, auth } = resolveConnection(config);
  if (auth.impersonate !== undefined) throw new Error('a webhook cannot be called as another user');
  if ([...config.clusters.values()].some(({ proxyUrl }) => proxyUrl !== undefined)) {
    throw new Error('proxy-url is not supported here');
  }
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    throw new Error('a client certificate needs its key, and a key its certificate');
  }
  const { ca, cert, key } = tls;
  const { authorization } = authHeaders(auth);
  return {
    url: below === '' ? server : server.replace(/\/+$/, '') + below,
    caBundle: ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    more: {
      ...(tls.serverName === undefined ? {} : { serverName: tls.serverName }),
      isUnverified: tls.skipsVerification,
      ...(cert && key
        ? { clientPair: { certificatePem: cert.toString(), privateKeyPem: key.toString() } }
        : {}),
      authorization: authorization?.toString(),
    },
  };
}
