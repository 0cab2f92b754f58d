import type { Duplex } from 'node:stream';
import type { Clock, Logger } from '../base/index.ts';
import { createRestClient } from '../client/rest/index.ts';
import { OptionsError } from '../config/index.ts';
import { isControllerEnabled, type ServeConfig, unknownControllers } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';

export interface RunControllersOptions {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Opens a connection to the server that the controllers work for. */
  readonly connect: () => Duplex;
  /** Bearer token of a user who may do everything. */
  readonly token: string;
  /** The authority that `root-ca-cert-publisher` makes known. */
  readonly authorityPem: string;
}

/** @throws OptionsError for names that no controller has. */
export async function checkControllerNames(list: readonly string[]): Promise<void> {
  const { controllerNames } = await import('../controllers/index.ts');
  const unknown = unknownControllers(list, controllerNames);
  if (unknown.length === 0) return;
  const known = controllerNames.join(', ');
  throw new OptionsError(unknown.map((name) => `--controllers: ${name} is not one of ${known}`));
}

/** Starts the controllers of `--controllers` against the server itself. The returned function ends them. */
export async function runControllers(options: RunControllersOptions): Promise<() => Promise<void>> {
  const { config, dialect, logger, clock, connect, token, authorityPem } = options;
  const list = config.controllers;
  const { controllerNames, startControllers } = await import('../controllers/index.ts');
  const isEnabled = (name: string): boolean =>
    isControllerEnabled(list, name, { onByDefault: true }) &&
    (name !== 'garbagecollector' || config['enable-garbage-collector']);
  if (!controllerNames.some(isEnabled)) return async () => {};
  const client = createRestClient({
    // The name stands in messages only: every connection leads to this process.
    connection: { server: 'http://localhost', tls: {}, auth: { token } },
    connect,
    userAgent: 'orch-controllers',
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
