import { type Clock, silentLogger } from '../../src/base/index.ts';
import { createRestClient } from '../../src/client/rest/index.ts';
import type { Controller, ControllerSettings } from '../../src/controllers/controller.ts';
import { createDiscoveryReader } from '../../src/controllers/discovery-reader.ts';
import { SharedInformers } from '../../src/controllers/shared-informers.ts';
import { orchDialect as dialect } from '../../src/machinery/dialect.ts';
import { controllerSettings } from './controller-settings.ts';
import { type TestServer, tokens } from './test-server.ts';

/** How a controller runs on its own. */
export interface ControllerRunOptions {
  readonly clock: Clock;
  readonly settings?: Partial<ControllerSettings> | undefined;
}

/** One controller beside a test server, with a clock of its own; the result ends it. */
export function runController(
  { server }: TestServer,
  controller: Controller,
  { clock, settings = {} }: ControllerRunOptions,
): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const client = createRestClient({
    connection: { server: server.url, tls: { ca: server.authorityPem }, auth: { token: tokens.admin } },
  });
  const random = () => 0;
  const logger = silentLogger;
  const informers = new SharedInformers({ client, clock, random, signal, logger }, dialect);
  const done = controller.run({
    ...{ client, clock, random, signal, logger, informers, dialect },
    discovery: createDiscoveryReader({ client, clock, signal }),
    settings: { ...controllerSettings, ...settings },
    migratedKinds: [],
  });
  return async () => {
    ending.abort();
    await done.catch(() => {}); // informers that had not listed are given up
    await informers.ended();
    client.close();
  };
}
