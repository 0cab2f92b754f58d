import type { Controller } from './controller.ts';
import { ensureInNamespaces } from './ensure-in-namespaces.ts';

interface Certificates {
  readonly data?: Readonly<Record<string, string>> | undefined;
}

/** Publishes the authority that signed the server's certificate in every namespace, so that pods can check it. */
export function rootCertificateController(authorityPem: string): Controller {
  const data = { 'ca.crt': authorityPem };
  return {
    name: 'root-ca-cert-publisher',
    run: (context) =>
      ensureInNamespaces<Certificates>(context, {
        resource: 'configmaps',
        name: context.dialect.rootCaConfigMap,
        desired: { kind: 'ConfigMap', data },
        repair(current) {
          const entries = Object.entries(current.data ?? {});
          const isRight = entries.length === 1 && current.data?.['ca.crt'] === authorityPem;
          return isRight ? undefined : { ...current, data };
        },
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
      desired: { kind: 'ServiceAccount' },
    }),
};
