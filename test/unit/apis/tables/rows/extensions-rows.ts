import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const extensionsRows: readonly RowCase[] = [
  [
    'extensions/v1beta1.Ingress',
    'ingresses',
    { spec: { rules: [{ host: 'a.example.com' }] } },
    ['a', '<none>', 'a.example.com', '', '80', '30s'],
  ],
  [
    'extensions/v1beta1.Ingress',
    'ingresses',
    {
      spec: { ingressClassName: 'nginx' },
      status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }, { hostname: 'lb' }] } },
    },
    ['a', 'nginx', '*', '5.6.7.8,lb', '80', '30s'],
  ],
  [
    'extensions/v1beta1.Ingress',
    'ingresses',
    { spec: { ingressClassName: 'nginx' }, status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }] } } },
    ['a', 'nginx', '*', '5.6.7.8', '80', '30s'],
  ],
];
