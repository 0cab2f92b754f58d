import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const nodeDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'node.orch.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'a' },
      handler: 'runc',
      overhead: { podFixed: { memory: '1.5', cpu: '10240u' } },
    },
    { '/overhead/podFixed/memory': '1500m' },
  ],
  [
    {
      apiVersion: 'node.orch.io/v1beta1',
      kind: 'RuntimeClass',
      metadata: { name: 'a' },
      handler: 'runc',
      scheduling: { tolerations: [{ operator: 'Exists', value: null }] },
    },
    { '/scheduling/tolerations/0/value': undefined },
  ],
  [
    {
      apiVersion: 'node.orch.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'a' },
      handler: 'runc',
      scheduling: { noSuchField: {} },
    },
    { '/scheduling/noSuchField': undefined },
  ],
];
