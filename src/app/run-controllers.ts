import type { Clock, Logger } from '../base/index.ts';
import { createRestClient } from '../client/rest/index.ts';
import { isControllerEnabled, type ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';

export interface RunControllersOptions {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The server that the controllers work for. */
  readonly url: string;
  readonly authorityPem: string;
  /** A client certificate that may do everything. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Each resource is watched over a connection of its own. */
const maxConnections = 512;

/** Starts the controllers of `--controllers` against the server itself. The returned function ends them. */
export async function runControllers(options: RunControllersOptions): Promise<() => Promise<void>> {
  const { config, dialect, logger, clock, url, authorityPem } = options;
  const list = config.controllers;
  const { controllerNames, startControllers } = await import('../controllers/index.ts');
  const isEnabled = (name: string): boolean =>
    isControllerEnabled(list, name, { onByDefault: true }) &&
    (name !== 'garbagecollector' || config['enable-garbage-collector']);
  if (!controllerNames.some(isEnabled)) return async () => {};
  const client = createRestClient({
    connection: {
      server: url,
      tls: { ca: authorityPem, cert: options.certificatePem, key: options.privateKeyPem },
      auth: {},
    },
    userAgent: 'orch-controllers',
    maxConnections,
    clock,
  });
  const ending = new AbortController();
  const controllers = startControllers({
    client,
    dialect,
    enabled: isEnabled,
    logger,
    clock,
    signal: ending.signal,
    authorityPem,
  });
  return async () => {
    ending.abort();
    await controllers.ended;
    client.close();
  };
}
