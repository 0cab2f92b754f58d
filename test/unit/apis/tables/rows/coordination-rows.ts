import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const coordinationRows: readonly RowCase[] = [
  ['coordination.orch.io/v1.Lease', 'leases', { spec: { holderIdentity: 'h' } }, ['a', 'h', '30s']],
  ['coordination.orch.io/v1beta1.Lease', 'leases', { spec: { holderIdentity: 'h' } }, ['a', 'h', '30s']],
  ['coordination.orch.io/v1beta1.Lease', 'leases', {}, ['a', '', '30s']],
];
