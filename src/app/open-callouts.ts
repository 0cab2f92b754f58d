import { randomUUID } from 'node:crypto';
import type { Service } from '../apis/types/core-v1.ts';
import type { Clock } from '../base/index.ts';
import { type ConvertRemotely, decodeStored, keyOf, type Stores } from '../registry/index.ts';
import {
  createConversionByWebhook,
  createServiceResolver,
  dialTargetOf,
  WebhookCaller,
} from '../server/callouts/index.ts';
import type { ApiModel } from './api-model.ts';

/** What calls of the server to others are made with. */
export interface CalloutSources {
  readonly model: ApiModel;
  readonly clock: Clock;
  /** Undefined while they are built, when nobody is called. */
  readonly stores: () => Stores | undefined;
  /** `host:port` of this server. */
  readonly advertised: () => string;
}

/** Calls of the server to others. Disposing of them ends all connections. */
export interface Callouts extends Disposable {
  readonly convertRemotely: ConvertRemotely;
}

/** Prepares calls of webhooks. Nothing is loaded or connected before the first one. */
export function openCallouts({ model, clock, stores, advertised }: CalloutSources): Callouts {
  const { dialect, catalog } = model;
  const findService = (namespace: string, name: string): Service | undefined => {
    const store = stores()?.stores.get('/services');
    const found = store?.cache.get(keyOf(store, namespace, name));
    return found && decodeStored<Service>(found);
  };
  const own = {
    namespace: 'default',
    name: dialect.spell('orch'),
    locate: () => dialTargetOf(new URL(`https://${advertised()}`)),
  };
  const caller = new WebhookCaller({
    resolveService: createServiceResolver({ findService, own }),
    userAgent: dialect.spell('orch-apiserver-admission'),
    clock,
  });
  const convert = createConversionByWebhook({ caller, dialect, catalog, newUid: randomUUID });
  return {
    convertRemotely: convert,
    [Symbol.dispose]: () => caller.close(),
  };
}
