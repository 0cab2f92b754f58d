import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const nodeRows: readonly RowCase[] = [
  ['node.orch.io/v1.RuntimeClass', 'runtimeclasses', { handler: 'runc' }, ['a', 'runc', '30s']],
  ['node.orch.io/v1beta1.RuntimeClass', 'runtimeclasses', { handler: 'runc' }, ['a', 'runc', '30s']],
];
