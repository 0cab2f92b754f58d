import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const eventsDefaults: readonly DefaultCase[] = [
  [
    { apiVersion: 'events.orch.io/v1beta1', kind: 'Event', metadata: { name: 'a' }, series: {} },
    {
      '/series/count': 0,
      '/series/lastObservedTime': null,
      '/eventTime': null,
      '/regarding': {},
      '/deprecatedSource': {},
      '/deprecatedFirstTimestamp': null,
      '/deprecatedLastTimestamp': null,
    },
  ],
  [
    {
      apiVersion: 'events.orch.io/v1',
      kind: 'Event',
      metadata: { name: 'a', namespace: 'orch-system' },
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'changed',
      reportingInstance: 'inst-1',
      action: 'Do',
      reason: 'Why',
      type: 'Warning',
    },
    {
      '/regarding': {},
      '/deprecatedSource': {},
      '/deprecatedFirstTimestamp': null,
      '/deprecatedLastTimestamp': null,
    },
  ],
];
