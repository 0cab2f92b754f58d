import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const admissionregistrationRows: readonly RowCase[] = [
  [
    'admissionregistration.orch.io/v1.MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    {},
    ['a', 0, '30s'],
  ],
  [
    'admissionregistration.orch.io/v1.MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    { webhooks: [{}] },
    ['a', 1, '30s'],
  ],
  [
    'admissionregistration.orch.io/v1.ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    {},
    ['a', 0, '30s'],
  ],
];
