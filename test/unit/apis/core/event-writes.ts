import { labelValue } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const eventWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'ev-a' },
      involvedObject: {
        kind: 'Pod',
        namespace: 'default',
        name: 'p',
        uid: 'u',
        apiVersion: 'v1',
        resourceVersion: '5',
        fieldPath: 'spec',
      },
      reason: 'Started',
      message: 'it started',
      source: { component: 'agent', host: 'n1' },
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-02T00:00:00Z',
      count: 3,
      type: 'Normal',
    },
    accepted: [
      { '/involvedObject/name': 'a/b' },
      { '/reason': 'a'.repeat(300) },
      { '/reportingComponent': 'Not_Valid!' },
      { '/involvedObject/uid': '-abc' },
      { '/reportingInstance': 'UpperCase' },
      { '/involvedObject/kind': 'a'.repeat(300) },
      { '/involvedObject/apiVersion': 'changed' },
      { '/involvedObject/name': 'Not_Valid!' },
      { '/metadata/name': 'a'.repeat(64) },
    ],
    refused: [
      [
        { '/metadata/labels': { 'a/b/c': 'v' } },
        [
          "metadata.labels: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
        ],
      ],
      [{ '/metadata/name': 'a/b' }, ['metadata.name: Invalid value: "a/b": may not contain \'/\'']],
      [{ '/metadata/name': '..' }, ['metadata.name: Invalid value: "..": may not be \'..\'']],
      [
        { '/metadata/finalizers': ['a'.repeat(300)] },
        [
          `metadata.finalizers: Invalid value: "${'a'.repeat(300)}": name part must be no more than 63 characters`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'events.orch.io/v1',
      kind: 'Event',
      metadata: { name: 'ev-v1' },
      eventTime: '2020-01-01T00:00:00.000000Z',
      series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' },
      reportingController: 'example.com/control',
      reportingInstance: 'inst-1',
      action: 'Do',
      reason: 'Why',
      regarding: { kind: 'Pod', namespace: 'default', name: 'p', apiVersion: 'v1' },
      related: { kind: 'Node', name: 'n1' },
      note: 'a note',
      type: 'Warning',
    },
    accepted: [
      { '/regarding/kind': 'Not_Valid!' },
      { '/reportingController': 'changed' },
      { '/regarding/fieldPath': '../x' },
      { '/action': '-abc' },
      { '/regarding/apiVersion': 'a'.repeat(300) },
    ],
    refused: [
      [
        { '/metadata/labels': { k: 'bad value!' } },
        [`metadata.labels: Invalid value: "bad value!": ${labelValue}`],
      ],
      [
        { '/metadata/name': 'Bad', '/metadata/finalizers': ['x'], '/action': '', '/type': 'Odd' },
        [
          'action: Required value',
          'metadata.name: Invalid value: "Bad": <any>',
          'metadata.finalizers[0]: Invalid value: "x": <any>',
          'type: Invalid value: "": has invalid value: Odd',
        ],
      ],
    ],
    changed: [
      { '/series/count': 3 },
      { '/metadata/labels': { a: 'b' } },
      { '/series/count': 1, '/reason': 'Other', '/type': 'Odd', '/regarding/name': 'q' },
    ],
    kept: [
      [
        { '/metadata/labels': { k: 'bad value!' }, '/action': '' },
        ['action: Required value', `metadata.labels: Invalid value: "bad value!": ${labelValue}`],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'events.orch.io/v1beta1',
      kind: 'Event',
      metadata: { name: 'ev-v1beta1' },
      eventTime: '2020-01-01T00:00:00.000000Z',
      series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' },
      reportingController: 'example.com/control',
      reportingInstance: 'inst-1',
      action: 'Do',
      reason: 'Why',
      regarding: { kind: 'Pod', namespace: 'default', name: 'p', apiVersion: 'v1' },
      related: { kind: 'Node', name: 'n1' },
      note: 'a note',
      type: 'Warning',
    },
    accepted: [{ '/related/apiVersion': 'Not_Valid!' }],
    refused: [
      [{ '/reportingInstance': '' }, ['reportingInstance: Required value']],
      // Metadata is looked at only where nothing else is wrong.
      [{ '/reportingInstance': '', '/metadata/name': 'a/b' }, ['reportingInstance: Required value']],
    ],
  },
];
