import type { Controller } from './controller.ts';
import { ensureInNamespaces } from './ensure-in-namespaces.ts';

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
