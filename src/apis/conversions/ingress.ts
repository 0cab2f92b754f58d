import { keepReceived } from '../../machinery/schema/index.ts';
import type { Ingress, IngressBackend } from '../types/networking-v1.ts';
import type {
  IngressBackend as StoredBackend,
  Ingress as StoredIngress,
} from '../types/networking-v1beta1.ts';
import { convertKind } from './version-conversion.ts';

/** Ingresses of `networking/v1`, whose backends are shaped otherwise than those of the stored `v1beta1`. */
export const ingressConversion = convertKind<Ingress, StoredIngress>({
  toStorage(object) {
    const { spec, ...rest } = object;
    const { defaultBackend, rules, ...others } = spec;
    const stored: StoredIngress = {
      ...rest,
      spec: {
        ...others,
        ...(defaultBackend === undefined ? {} : { backend: storedBackend(defaultBackend) }),
        ...(rules === undefined ? {} : { rules: mapPaths(rules, storedBackend) }),
      },
    };
    keepReceived(spec, stored.spec);
    return stored;
  },
  fromStorage(object) {
    const { spec, ...rest } = object;
    const { backend, rules, ...others } = spec;
    const served: Ingress = {
      ...rest,
      spec: {
        ...others,
        ...(backend === undefined ? {} : { defaultBackend: servedBackend(backend) }),
        ...(rules === undefined ? {} : { rules: mapPaths(rules, servedBackend) }),
      },
    };
    return served;
  },
});

interface Rule<Backend> {
  host?: string | undefined;
  http?:
    | { paths: { path?: string | undefined; pathType?: string | undefined; backend: Backend }[] | null }
    | undefined;
}

function mapPaths<From, To>(rules: readonly Rule<From>[], map: (backend: From) => To): Rule<To>[] {
  return rules.map(({ http, ...rest }) => ({
    ...rest,
    ...(http === undefined
      ? {}
      : { http: { paths: http.paths?.map((path) => ({ ...path, backend: map(path.backend) })) ?? null } }),
  }));
}

/** A backend on its way to validation, which refuses one that names its port and numbers it; only `v1` can say both. */
export type ReceivedBackend = StoredBackend & { readonly extraPortNumber?: number };

function storedBackend({ service, resource }: IngressBackend): ReceivedBackend {
  const { name, number } = service?.port ?? {};
  return {
    ...(service === undefined ? {} : { serviceName: service.name }),
    // There in each stored backend, so that one without a service is the same as its stored form.
    servicePort: name || (number ?? 0),
    ...(name && number ? { extraPortNumber: number } : {}),
    ...(resource === undefined ? {} : { resource }),
  };
}

function servedBackend({ serviceName, servicePort, resource }: StoredBackend): IngressBackend {
  const names = Boolean(serviceName) || (servicePort !== undefined && servicePort !== 0);
  const port = typeof servicePort === 'string' ? { name: servicePort } : { number: servicePort };
  return {
    ...(names ? { service: { name: serviceName ?? '', port } } : {}),
    ...(resource === undefined ? {} : { resource }),
  };
}
