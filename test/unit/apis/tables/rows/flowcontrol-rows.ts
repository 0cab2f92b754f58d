import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const flowcontrolRows: readonly RowCase[] = [
  [
    'flowcontrol.apiserver.orch.io/v1beta1.PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    {
      spec: {
        type: 'Limited',
        limited: {
          assuredConcurrencyShares: 5,
          limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 20 } },
        },
      },
    },
    ['a', 'Limited', 5, 64, 8, 20, '30s'],
  ],
];
