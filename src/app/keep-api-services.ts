import { asJsonObject, type Clock, type Logger } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isPathSegmentName } from '../machinery/formats/index.ts';
import { keyOf, type Stores, serverManager } from '../registry/index.ts';
import { keepAvailability } from '../server/aggregation/index.ts';
import type { ApiModel } from './api-model.ts';

/** What the conditions of API services are kept with. */
export interface ApiServicesOptions {
  readonly stores: Stores;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps the conditions of API services true; undefined where their group is not served. */
export function keepApiServices({ stores, model, clock, logger }: ApiServicesOptions) {
  const group = model.dialect.group('apiregistration');
  const apiServices = stores.served.get(`${group}/v1/apiservices`);
  const services = stores.stores.get('/services');
  const endpoints = stores.stores.get('/endpoints');
  if (apiServices === undefined || services === undefined || endpoints === undefined) return undefined;
  return keepAvailability({
    stores: { apiServices, services, endpoints },
    manager: serverManager(model.dialect),
    clock,
    logger,
  });
}

/** Tells whether an API service names a server for a version of a group. */
export function foreignVersions(
  stores: Stores,
  dialect: Dialect,
): (group: string, version: string) => boolean {
  const store = stores.stores.get(`${dialect.group('apiregistration')}/apiservices`);
  return (group, version) => {
    const name = `${version}.${group}`;
    if (store === undefined || isPathSegmentName(name).length > 0) return false;
    const stored = store.cache.get(keyOf(store, '', name));
    return stored !== undefined && asJsonObject(asJsonObject(stored.decode())?.spec)?.service !== undefined;
  };
}
