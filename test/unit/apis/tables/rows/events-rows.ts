import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const eventsRows: readonly RowCase[] = [
  [
    'events.orch.io/v1.Event',
    'events',
    {
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'example.com/control',
      reportingInstance: 'inst-1',
      reason: 'Evicted',
      regarding: { kind: 'Pod', name: 'p' },
      note: 'a note',
      type: 'Warning',
    },
    ['366d', 'Warning', 'Evicted', 'pod/p', '', 'example.com/control, inst-1', 'a note', '366d', 1, 'a'],
  ],
  [
    'events.orch.io/v1beta1.Event',
    'events',
    {
      eventTime: '2020-01-01T00:00:00.000000Z',
      series: { count: 2 },
      reportingController: 'example.com/control',
      reportingInstance: 'inst-1',
      reason: 'Why',
      regarding: { kind: 'Pod', name: 'p' },
      note: 'a note',
      type: 'Warning',
    },
    ['<unknown>', 'Warning', 'Why', 'pod/p', '', 'example.com/control, inst-1', 'a note', '366d', 3, 'a'],
  ],
];
