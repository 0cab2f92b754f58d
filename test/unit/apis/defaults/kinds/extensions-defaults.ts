import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const extensionsDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'a' },
      spec: { rules: [{ http: { paths: [{ backend: { serviceName: 's3', servicePort: 81 } }] } }] },
    },
    { '/spec/rules/0/http/paths/0/pathType': 'ImplementationSpecific' },
  ],
];
