import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import { type AdmissionAttributes, plainForms, type WriteOptions } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { NegotiatedEndpoint } from './endpoint.ts';

/** What a request brings that is not stored as it is: a review, a binding, the options of a connection. */
export interface BroughtValue {
  readonly operation: 'CREATE' | 'CONNECT';
  readonly kind: GroupVersionKind;
  /** Plugins change it in place. */
  readonly object: ApiObject;
  readonly options: WriteOptions;
}

/** Runs admission for a request that stores no object of its own kind. @throws StatusError whatever it refuses with. */
export async function admitValue(
  { info }: Exchange,
  { info: resource, served, context }: Pick<NegotiatedEndpoint, 'info' | 'served' | 'context'>,
  { operation, kind, object, options }: BroughtValue,
): Promise<void> {
  const { admission, catalog, dialect, virtualForms } = context;
  const { group, version, resource: name } = resource;
  const attributes: AdmissionAttributes = {
    operation,
    resource: served?.store ?? resource,
    subresource: info.subresource,
    kind,
    namespace: resource.namespaced ? info.namespace : '',
    name: info.name === '' ? (object.metadata?.name ?? '') : info.name,
    requestName: info.name,
    object,
    oldObject: undefined,
    isDryRun: options.isDryRun,
    user: options.user,
    forms:
      served === undefined
        ? virtualForms(resource)
        : plainForms([{ kind, group, version, resource: name }], { catalog, dialect }),
    request: options.request,
  };
  await admission.admit(attributes);
  await admission.validate(attributes);
}
