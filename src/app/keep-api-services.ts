import type { ApiResource } from '../apis/resources/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { type Stores, serverManager } from '../registry/index.ts';
import {
  checkDiscovery,
  keepAvailability,
  type RemoteApis,
  type RemoteClient,
  type RemoteDocuments,
} from '../server/aggregation/index.ts';
import type { ServerMetrics } from '../server/index.ts';
import type { ApiModel } from './api-model.ts';

/** What the conditions of API services are kept with. */
export interface ApiServicesOptions {
  readonly stores: Stores;
  readonly model: ApiModel;
  /** Calls the servers that API services name. */
  readonly remoteClient: RemoteClient;
  readonly remotes: RemoteApis;
  readonly remoteDocuments: RemoteDocuments;
  readonly metrics: Pick<ServerMetrics, 'addAvailability' | 'forgetAvailability'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Who this server is to those that serve groups behind it. */
export const aggregatorUser = (dialect: Dialect): string => dialect.spell('system:orch-aggregator');

/** Keeps the conditions of API services true, and what their servers say; undefined where their group is not served. */
export function keepApiServices({
  stores,
  model,
  remoteClient,
  remotes,
  remoteDocuments,
  metrics,
  clock,
  logger,
}: ApiServicesOptions) {
  const group = model.dialect.group('apiregistration');
  const apiServices = stores.served.get(`${group}/v1/apiservices`);
  const services = stores.stores.get('/services');
  const endpoints = stores.stores.get('/endpoints');
  if (apiServices === undefined || services === undefined || endpoints === undefined) return undefined;
  const user = aggregatorUser(model.dialect);
  return keepAvailability({
    stores: { apiServices, services, endpoints },
    async check(api, signal) {
      const onResources = (resources: readonly ApiResource[]) => remotes.learn(api.name, resources);
      const problem = await checkDiscovery(remoteClient, api, { user, signal, onResources });
      // What the server says of itself is read beside, in its own time.
      if (problem === undefined) void remoteDocuments.refresh(api, signal);
      return problem;
    },
    manager: serverManager(model.dialect),
    onOutcome: metrics.addAvailability,
    onGone: metrics.forgetAvailability,
    clock,
    logger,
  });
}
