import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const flowcontrolDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'flowcontrol.apiserver.orch.io/v1beta1',
      kind: 'FlowSchema',
      metadata: { name: 'a' },
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'nobody-x' }, group: null }],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
          },
        ],
      },
    },
    { '/spec/rules/0/subjects/0/group': undefined, '/spec/matchingPrecedence': 1000 },
  ],
  [
    {
      apiVersion: 'flowcontrol.apiserver.orch.io/v1beta1',
      kind: 'PriorityLevelConfiguration',
      metadata: { name: 'a' },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } },
    },
    {
      '/spec/limited/limitResponse/queuing/queues': 64,
      '/spec/limited/limitResponse/queuing/handSize': 8,
      '/spec/limited/limitResponse/queuing/queueLengthLimit': 50,
      '/spec/limited/assuredConcurrencyShares': 30,
    },
  ],
  [
    {
      apiVersion: 'flowcontrol.apiserver.orch.io/v1beta1',
      kind: 'PriorityLevelConfiguration',
      metadata: { name: 'a' },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} }, noSuchField: {} } },
    },
    {
      '/spec/limited/limitResponse/queuing/queues': 64,
      '/spec/limited/limitResponse/queuing/handSize': 8,
      '/spec/limited/limitResponse/queuing/queueLengthLimit': 50,
      '/spec/limited/noSuchField': undefined,
      '/spec/limited/assuredConcurrencyShares': 30,
    },
  ],
];
