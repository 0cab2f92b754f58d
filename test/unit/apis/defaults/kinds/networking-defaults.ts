import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const networkingDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'networking.orch.io/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'a' },
      spec: { rules: [{ http: { paths: [{ backend: { serviceName: 's3', servicePort: 81 } }] } }] },
    },
    { '/spec/rules/0/http/paths/0/pathType': 'ImplementationSpecific' },
  ],
  [
    {
      apiVersion: 'networking.orch.io/v1',
      kind: 'Ingress',
      metadata: { name: 'a' },
      spec: {
        rules: [
          {
            http: {
              paths: [
                {
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 's2', port: { number: 8080 }, noSuchField: {} } },
                },
              ],
            },
          },
        ],
      },
    },
    { '/spec/rules/0/http/paths/0/backend/service/noSuchField': undefined },
  ],
  [
    { apiVersion: 'networking.orch.io/v1', kind: 'NetworkPolicy', metadata: { name: 'a' } },
    { '/spec': { podSelector: {}, policyTypes: ['Ingress'] } },
  ],
  [
    { apiVersion: 'networking.orch.io/v1', kind: 'NetworkPolicy', metadata: { name: 'a' }, spec: {} },
    { '/spec/podSelector': {}, '/spec/policyTypes': ['Ingress'] },
  ],
  [
    {
      apiVersion: 'networking.orch.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'a' },
      spec: { ingress: [{ from: [], ports: [{}] }] },
    },
    {
      '/spec/ingress/0/from': undefined,
      '/spec/ingress/0/ports/0/protocol': 'TCP',
      '/spec/podSelector': {},
      '/spec/policyTypes': ['Ingress'],
    },
  ],
  [
    {
      apiVersion: 'networking.orch.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'a' },
      spec: { ingress: [{ from: [{ namespaceSelector: { matchExpressions: [] } }] }] },
    },
    {
      '/spec/ingress/0/from/0/namespaceSelector/matchExpressions': undefined,
      '/spec/podSelector': {},
      '/spec/policyTypes': ['Ingress'],
    },
  ],
];
