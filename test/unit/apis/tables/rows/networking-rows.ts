import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const networkingRows: readonly RowCase[] = [
  [
    'networking.orch.io/v1.IngressClass',
    'ingressclasses',
    {
      spec: {
        controller: 'example.com/ingress',
        parameters: { apiGroup: 'example.com', kind: 'Params', name: 'p' },
      },
    },
    ['a', 'example.com/ingress', 'Params.example.com/p', '30s'],
  ],
  [
    'networking.orch.io/v1.IngressClass',
    'ingressclasses',
    { spec: { controller: 'example.com/ingress' } },
    ['a', 'example.com/ingress', '<none>', '30s'],
  ],
  [
    'networking.orch.io/v1beta1.IngressClass',
    'ingressclasses',
    { spec: { controller: 'example.com/ingress' } },
    ['a', 'example.com/ingress', '<none>', '30s'],
  ],
  [
    'networking.orch.io/v1.Ingress',
    'ingresses',
    { spec: { tls: [{}], rules: [{ host: 'a.example.com' }] } },
    ['a', '<none>', 'a.example.com', '', '80, 443', '30s'],
  ],
  [
    'networking.orch.io/v1.Ingress',
    'ingresses',
    {
      spec: { rules: [{ host: '*.example.org' }] },
      status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }, { hostname: 'lb' }] } },
    },
    ['a', '<none>', '*.example.org', '5.6.7.8,lb', '80', '30s'],
  ],
  [
    'networking.orch.io/v1.Ingress',
    'ingresses',
    { spec: { rules: [{ host: 'a.example.com' }] } },
    ['a', '<none>', 'a.example.com', '', '80', '30s'],
  ],
  [
    'networking.orch.io/v1.Ingress',
    'ingresses',
    { spec: { ingressClassName: 'nginx', rules: [{ host: 'a.example.com' }] } },
    ['a', 'nginx', 'a.example.com', '', '80', '30s'],
  ],
  [
    'networking.orch.io/v1beta1.Ingress',
    'ingresses',
    { spec: { rules: [{ host: 'a.example.com' }] } },
    ['a', '<none>', 'a.example.com', '', '80', '30s'],
  ],
];
