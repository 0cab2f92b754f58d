import type { Random } from './random-object.ts';

type Fields = Record<string, unknown>;

/** Makes a random object one that its kind's rules could accept, as far as conversions depend on that. */
export type MakeValid = (object: Fields, random: Random) => void;

const rbac = 'rbac.authorization.orch.io';

/** How objects are made valid, by `group/version.Kind` or by kind alone. */
export const makeValid: Readonly<Record<string, MakeValid>> = {
  'networking.orch.io/v1.Ingress': (object) =>
    eachBackend(object, (backend) => {
      const service = backend.service as { port?: Fields } | undefined;
      if (service === undefined) return;
      delete backend.resource;
      service.port = typeof service.port?.name === 'string' ? { name: service.port.name } : { number: 80 };
    }),
  'networking.orch.io/v1beta1.Ingress': (object) => eachBackend(object, useOlderService),
  'extensions/v1beta1.Ingress': (object) => eachBackend(object, useOlderService),
  'apiextensions.orch.io/v1.CustomResourceDefinition': (object, random) => {
    const { spec } = object as { spec: Fields & { versions: Fields[]; conversion?: Fields } };
    spec.versions = spec.versions.map((version, index) => ({ ...version, name: `v${index + 1}` }));
    if (random.below(2) === 1) spec.versions = spec.versions.slice(0, 1);
    if (spec.conversion !== undefined && spec.conversion.strategy !== 'Webhook')
      delete spec.conversion.webhook;
  },
  'apiextensions.orch.io/v1beta1.CustomResourceDefinition': (object) => {
    const { spec } = object as { spec: Fields & { versions?: Fields[]; conversion?: Fields } };
    spec.versions = (spec.versions ?? [{}]).map((version, index) => ({
      ...version,
      // What all versions have alike is said once, in the normal form.
      deprecationWarning: `w${index}`,
      name: `v${index + 1}`,
    }));
    spec.version = 'v1';
    spec.preserveUnknownFields ??= true;
    for (const [whole, part] of [
      ['validation', 'schema'],
      ['subresources', 'subresources'],
      ['additionalPrinterColumns', 'additionalPrinterColumns'],
    ] as const) {
      const texts = new Set(spec.versions.map((version) => JSON.stringify(version[part])));
      if (spec[whole] !== undefined || texts.size === 1)
        for (const version of spec.versions) delete version[part];
    }
  },
  'certificates.orch.io/v1beta1.CertificateSigningRequest': (object) => {
    object.spec = { signerName: 'example.com/signer', ...(object.spec as Fields | undefined) };
  },
  [`${rbac}/v1alpha1.RoleBinding`]: eachOlderSubject,
  [`${rbac}/v1alpha1.ClusterRoleBinding`]: eachOlderSubject,
  [`${rbac}/v1.RoleBinding`]: eachSubject,
  [`${rbac}/v1.ClusterRoleBinding`]: eachSubject,
  [`${rbac}/v1beta1.RoleBinding`]: eachSubject,
  [`${rbac}/v1beta1.ClusterRoleBinding`]: eachSubject,
};

function eachBackend(object: Fields, change: (backend: Fields) => void): void {
  // Random objects have the shapes of their types.
  const spec = (object as { spec?: Fields }).spec ?? {};
  for (const name of ['backend', 'defaultBackend'])
    if (spec[name] !== undefined) change(spec[name] as Fields);
  for (const rule of (spec.rules ?? []) as { http?: { paths?: { backend: Fields }[] } }[]) {
    for (const { backend } of rule.http?.paths ?? []) change(backend);
  }
}

function useOlderService(backend: Fields): void {
  if (backend.serviceName === undefined && backend.servicePort === undefined) return;
  backend.serviceName = 's';
  backend.servicePort ??= 80;
  delete backend.resource;
}

function eachOlderSubject(object: Fields): void {
  const { subjects = [] } = object as { subjects?: Fields[] };
  for (const [index, subject] of subjects.entries()) {
    subject.kind = ['ServiceAccount', 'User', 'Group'][index % 3];
    subject.apiVersion = subject.kind === 'ServiceAccount' ? 'v1' : `${rbac}/v1alpha1`;
  }
}

function eachSubject(object: Fields): void {
  const { subjects = [] } = object as { subjects?: Fields[] };
  for (const [index, subject] of subjects.entries()) {
    subject.kind = ['ServiceAccount', 'User', 'Group'][index % 3];
    if (subject.kind === 'ServiceAccount') delete subject.apiGroup;
    else subject.apiGroup = rbac;
  }
}
