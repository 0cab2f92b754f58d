import { asJsonObject, asText, type Clock, errorText, isStrings, type Logger } from '../base/index.ts';
import { loadClientConfig, resolveConnection } from '../client/config/index.ts';
import { startInformer } from '../client/informer/index.ts';
import { createRestClient, type RestClient, resourcePath } from '../client/rest/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { splitAuthorities } from '../server/pki/index.ts';
import type { PublishedAuthentication } from './authority-files.ts';

/** Where to look, and when to give up. */
export interface AuthenticationLookupOptions {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of what is published, at first and whenever that changes. */
  readonly onPublished: (published: PublishedAuthentication) => void;
}

/** Whether another server is asked whom to believe (`--authentication-orchconfig`). */
export const isAuthenticationLookedUp = (config: ServeConfig): boolean =>
  config.authenticationOrchconfig !== undefined &&
  !config.authenticationSkipLookup &&
  (config.clientCaFile === undefined || config.requestheaderClientCaFile === undefined);

/** How long the first answer may take. */
const lookupTimeoutMs = 10_000;
const configMapName = 'extension-apiserver-authentication';

/**
 * Reads the config map in which an API server publishes whom it believes by certificate, and follows it until `opened` is
 * disposed of. Source: the documentation page "Configure the Aggregation Layer"; apiserver,
 * `pkg/server/options/authentication.go`.
 *
 * @throws Error when it cannot be read, unless `--authentication-tolerate-lookup-failure` is given
 */
export async function lookUpAuthentication(
  options: AuthenticationLookupOptions,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { config, dialect, clock, logger } = options;
  const flag = dialect.spell('authentication-orchconfig');
  const path = config.authenticationOrchconfig ?? '';
  const client = await connect(`--${flag}: ${path}`, path, dialect);
  opened.defer(() => client.close());
  const namespace = dialect.systemNamespace;
  const take = (object: ApiObject): void => {
    try {
      options.onPublished(readPublished(object));
    } catch (error) {
      logger.error('published authentication unusable', {
        namespace,
        name: configMapName,
        error: errorText(error),
      });
    }
  };
  try {
    const found = await readOnce(client, namespace);
    // What makes no sense ends the start as what cannot be read does.
    if (found !== undefined) options.onPublished(readPublished(found));
  } catch (cause) {
    const problem = `unable to load configmap based request-header-client-ca-file: ${errorText(cause)}`;
    if (!config.authenticationTolerateLookupFailure) throw new Error(`--${flag}: ${problem}`, { cause });
    logger.error('authentication configuration not looked up: clients by certificate may be refused', {
      problem,
    });
  }
  const ending = new AbortController();
  const informer = startInformer({
    client,
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    namespace,
    fieldSelector: `metadata.name=${configMapName}`,
    onAdd: take,
    onUpdate: take,
    onError: (error) => logger.debug('published authentication not read', { error }),
    signal: ending.signal,
    clock,
  });
  opened.defer(async () => {
    ending.abort();
    await informer.done;
  });
}

async function connect(what: string, path: string, dialect: Dialect): Promise<RestClient> {
  try {
    const config = await loadClientConfig({ files: [path], isExplicit: true, isFromEnvironment: false });
    return createRestClient({
      connection: resolveConnection(config),
      userAgent: dialect.spell('orch-apiserver'),
    });
  } catch (cause) {
    throw new Error(`${what}: ${errorText(cause)}`, { cause });
  }
}

/** The config map; undefined where there is none. */
async function readOnce(client: RestClient, namespace: string): Promise<ApiObject | undefined> {
  const resource = { group: '', version: 'v1', resource: 'configmaps' };
  const path = resourcePath({ ...resource, namespace, name: configMapName });
  try {
    return await client.json<ApiObject>({ method: 'GET', path, timeoutMs: lookupTimeoutMs });
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** @throws Error for an entry that makes no sense */
function readPublished(object: ApiObject): PublishedAuthentication {
  const data = asJsonObject(asJsonObject(object).data);
  const list = (name: string): readonly string[] => {
    const text = asText(data[name]);
    const value: unknown = text === '' ? [] : JSON.parse(text);
    if (!isStrings(value)) throw new Error(`${name} is no list of strings`);
    return value;
  };
  const authorities = (name: string): readonly string[] => {
    const text = asText(data[name]);
    return text === '' ? [] : splitAuthorities(text, name);
  };
  return {
    clients: authorities('client-ca-file'),
    proxies: authorities('requestheader-client-ca-file'),
    names: {
      allowedNames: list('requestheader-allowed-names'),
      usernameHeaders: list('requestheader-username-headers'),
      groupHeaders: list('requestheader-group-headers'),
      extraHeaderPrefixes: list('requestheader-extra-headers-prefix'),
    },
  };
}
