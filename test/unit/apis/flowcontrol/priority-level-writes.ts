import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const priorityLevelWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'flowcontrol.apiserver.orch.io/v1beta1',
      kind: 'PriorityLevelConfiguration',
      metadata: { name: 'plc-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        type: 'Limited',
        limited: {
          assuredConcurrencyShares: 5,
          limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 20 } },
        },
      },
    },
    status: {
      conditions: [
        {
          type: 'X',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
        },
      ],
    },
    accepted: [
      {
        '/spec/limited': {
          assuredConcurrencyShares: 5,
          limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 20 } },
          noSuchField: { a: [1] },
        },
      },
      { '/spec/limited/limitResponse/queuing/queues': 0 },
      { '/spec/limited/limitResponse/queuing/handSize': 0 },
    ],
    refused: [
      [
        { '/spec/type': 'Not_Valid!' },
        ['spec.type: Unsupported value: "Not_Valid!": supported values: "Exempt", "Limited"'],
      ],
      [
        { '/spec/limited/limitResponse/type': '../x' },
        ['spec.limited.limitResponse.type: Unsupported value: "../x": supported values: "Queue", "Reject"'],
      ],
      [
        { '/spec/limited/limitResponse/queuing': undefined },
        [
          'spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited',
        ],
      ],
      [
        { '/spec/limited/limitResponse/queuing/handSize': 70000 },
        [
          'spec.limited.limitResponse.queuing.handSize: Invalid value: 70000: should not be greater than queues (16)',
        ],
      ],
      [{ '/metadata/name': 'a.' }, [`metadata.name: Invalid value: "a.": ${subdomain1123}`]],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
    ],
    statusChanged: [
      { '/status/conditions/0/reason': 'UpperCase' },
      { '/status/conditions/0/lastTransitionTime': undefined },
      { '/status/conditions/0/status': 'changed' },
      { '/status/conditions/0/type': 'a/b' },
      { '/status': undefined },
      { '/spec/limited/limitResponse/type': 'Reject' },
    ],
    statusKept: [
      [{ '/status/conditions': [null] }, ['status.conditions[0].type: Required value: must not be empty']],
    ],
  },
];
