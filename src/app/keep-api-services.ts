import type { ApiResource } from '../apis/resources/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import { type Stores, serverManager } from '../registry/index.ts';
import {
  checkDiscovery,
  keepAvailability,
  type RemoteApis,
  type RemoteClient,
} from '../server/aggregation/index.ts';
import type { ApiModel } from './api-model.ts';

/** What the conditions of API services are kept with. */
export interface ApiServicesOptions {
  readonly stores: Stores;
  readonly model: ApiModel;
  /** Calls the servers that API services name. */
  readonly remoteClient: RemoteClient;
  readonly remotes: RemoteApis;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps the conditions of API services true; undefined where their group is not served. */
export function keepApiServices({ stores, model, remoteClient, remotes, clock, logger }: ApiServicesOptions) {
  const group = model.dialect.group('apiregistration');
  const apiServices = stores.served.get(`${group}/v1/apiservices`);
  const services = stores.stores.get('/services');
  const endpoints = stores.stores.get('/endpoints');
  if (apiServices === undefined || services === undefined || endpoints === undefined) return undefined;
  const user = model.dialect.spell('system:orch-aggregator');
  return keepAvailability({
    stores: { apiServices, services, endpoints },
    check: (api, signal) => {
      const onResources = (resources: readonly ApiResource[]) => remotes.learn(api.name, resources);
      return checkDiscovery(remoteClient, api, { user, signal, onResources });
    },
    manager: serverManager(model.dialect),
    clock,
    logger,
  });
}
