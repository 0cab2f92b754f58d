import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Endpoints, Service } from '../apis/types/core-v1.ts';
import type { Clock } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { dialTargetOf } from '../net/dial/index.ts';
import { type ConvertRemotely, decodeStored, keyOf, type Stores } from '../registry/index.ts';
import { RemoteClient } from '../server/aggregation/index.ts';
import {
  type ClientPair,
  createConversionByWebhook,
  createServiceResolver,
  WebhookCaller,
} from '../server/callouts/index.ts';
import type { ApiModel } from './api-model.ts';

/** What calls of the server to others are made with. */
export interface CalloutSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  /** Undefined while they are built, when nobody is called. */
  readonly stores: () => Stores | undefined;
  /** Proves to the servers of other groups that it is this one that names the user. */
  readonly aggregatorPair: ClientPair | undefined;
  readonly own: OwnAccess;
}

/** How the server reaches itself; known when it listens. */
export interface OwnAccess {
  /** Where this machine reaches it. */
  url(): string;
  /** Opens a connection within this process. */
  connect(): Duplex;
  /** Proves there that it is the server itself. */
  readonly token: string;
}

/** Calls of the server to others. Disposing of them ends all connections. */
export interface Callouts extends Disposable {
  readonly convertRemotely: ConvertRemotely;
  /** Calls the servers of other groups. */
  readonly remoteClient: RemoteClient;
  readonly webhooks: WebhookCaller;
}

/** Prepares calls of webhooks. Nothing is loaded or connected before the first one. */
export function openCallouts({
  config,
  model,
  clock,
  stores,
  own: access,
  aggregatorPair,
}: CalloutSources): Callouts {
  const { dialect, catalog } = model;
  const find = <Kind extends ApiObject>(
    resource: string,
    namespace: string,
    name: string,
  ): Kind | undefined => {
    const store = stores()?.stores.get(resource);
    const found = store?.cache.get(keyOf(store, namespace, name));
    return found && decodeStored<Kind>(found);
  };
  const findService = (...of: [string, string]) => find<Service>('/services', ...of);
  const findEndpoints = (...of: [string, string]) => find<Endpoints>('/endpoints', ...of);
  const routing = config.enableAggregatorRouting ? { findEndpoints, random: Math.random } : undefined;
  const own = {
    namespace: 'default',
    name: dialect.apiServiceName,
    locate: () => dialTargetOf(new URL(access.url())),
    connect: () => access.connect(),
    authorization: `Bearer ${access.token}`,
  };
  const resolveService = createServiceResolver({ findService, routing, own });
  const caller = new WebhookCaller({
    resolveService,
    own,
    userAgent: dialect.spell('orch-apiserver-admission'),
    clock,
  });
  const remoteClient = new RemoteClient({ resolveService, clientPair: aggregatorPair });
  const convert = createConversionByWebhook({ caller, dialect, catalog, newUid: randomUUID });
  return {
    convertRemotely: convert,
    webhooks: caller,
    remoteClient,
    [Symbol.dispose]() {
      caller.close();
      remoteClient[Symbol.dispose]();
    },
  };
}
