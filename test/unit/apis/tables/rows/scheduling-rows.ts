import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const schedulingRows: readonly RowCase[] = [
  ['scheduling.orch.io/v1.PriorityClass', 'priorityclasses', { value: 1000 }, ['a', 1000, false, '30s']],
  ['scheduling.orch.io/v1beta1.PriorityClass', 'priorityclasses', { value: 1000 }, ['a', 1000, false, '30s']],
  [
    'scheduling.orch.io/v1beta1.PriorityClass',
    'priorityclasses',
    { value: 1000, globalDefault: true },
    ['a', 1000, true, '30s'],
  ],
];
