import type { Controller, PublishedAuthority } from './controller.ts';
import { ensureInNamespaces } from './ensure-in-namespaces.ts';

interface Certificates {
  readonly data?: Readonly<Record<string, string>> | undefined;
}

/** Publishes the authorities that sign the servers' certificates in every namespace, so that pods can check them. */
export function rootCertificateController(authority: PublishedAuthority): Controller {
  const desired = () => ({ kind: 'ConfigMap', data: { 'ca.crt': authority.pem() } });
  return {
    name: 'root-ca-cert-publisher',
    run: (context) =>
      ensureInNamespaces<Certificates>(context, {
        resource: 'configmaps',
        name: context.dialect.rootCaConfigMap,
        desired,
        repair(current) {
          const { data } = desired();
          const entries = Object.entries(current.data ?? {});
          const isRight = entries.length === 1 && current.data?.['ca.crt'] === data['ca.crt'];
          return isRight ? undefined : { ...current, data };
        },
        onChange: authority.onChange,
      }),
  };
}

/** Gives every namespace the ServiceAccount `default`, which pods use that name no other. */
export const serviceAccountController: Controller = {
  name: 'serviceaccount',
  run: (context) =>
    ensureInNamespaces(context, {
      resource: 'serviceaccounts',
      name: 'default',
      desired: () => ({ kind: 'ServiceAccount' }),
    }),
};
