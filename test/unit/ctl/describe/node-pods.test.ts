import { expect } from 'chai';
import type { Ctl } from '../../../../src/ctl/ctl.ts';
import { describeNodePods } from '../../../../src/ctl/describe/node-pods.ts';
import { Report } from '../../../../src/ctl/describe/report.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';

const nowMs = Date.UTC(2030, 0, 1, 1);

/** What one container asks for and may have at most. */
type Amounts = Readonly<Record<string, string>>;
const containerOf = (requests: Amounts, limits: Amounts = {}) => ({ resources: { requests, limits } });
const podOf = (spec: object, name = 'web') => ({
  metadata: { name, namespace: 'ns', creationTimestamp: '2030-01-01T00:00:00Z' },
  spec,
});

/** The lines of a node with these pods, and what the server was asked. */
async function describeNode(
  pods: readonly object[],
  allocatable: object | null = { cpu: '1', memory: '1Gi' },
  capacity: object = {},
  dialect: 'orch' | 'kubernetes' = 'orch',
) {
  const asked: unknown[] = [];
  const client = {
    async json(request: unknown) {
      asked.push(request);
      return { items: pods };
    },
  };
  const ctl = { client: async () => client, io: {} } as unknown as Ctl; // all that is used of it
  const report = new Report(createDialect(dialect));
  const object = {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: 'n1' },
    status: { allocatable, capacity },
  };
  await describeNodePods({ ctl, object, report, nowMs });
  const lines = report.toTabbedText().split('\n').filter(Boolean);
  const split = (line: string) => line.trim().split('\t');
  const total = lines.indexOf('Allocated resources:');
  return {
    asked,
    count: lines[0],
    pods: lines.slice(3, total).map(split),
    resources: lines.slice(total + 4).map(split),
  };
}

/** The CPU and memory of the node's only pod: requests and limits of each. */
async function amountsOf(spec: object): Promise<readonly (string | undefined)[]> {
  const { pods } = await describeNode([podOf(spec)]);
  return pods[0]?.slice(3, 7) ?? [];
}

describe('describeNodePods', () => {
  it('asks for the pods of the node that have not ended', async () => {
    const { asked } = await describeNode([]);
    expect(asked).to.deep.include({
      method: 'GET',
      path: '/api/v1/pods',
      query: { fieldSelector: 'spec.nodeName=n1,status.phase!=Failed,status.phase!=Succeeded' },
      signal: undefined,
    });
  });

  it('counts pods, and shows each with its shares and its age', async () => {
    const pods = [
      podOf({ containers: [containerOf({ cpu: '250m' }, { memory: '512Mi' })] }),
      podOf({}, 'db'),
    ];
    const found = await describeNode(pods);
    expect(found.count).to.equal('Non-terminated Pods:\t(2 in total)');
    expect(found.pods).to.deep.equal([
      ['ns', 'web', '', '250m (25%)', '0 (0%)', '0 (0%)', '512Mi (50%)', '60m'],
      ['ns', 'db', '', '0 (0%)', '0 (0%)', '0 (0%)', '0 (0%)', '60m'],
    ]);
  });

  it('shows shares of nothing as release 1.20 does where it is spoken', async () => {
    const pods = [podOf({ containers: [containerOf({ cpu: '250m' })] })];
    const own = await describeNode(pods, { cpu: '1' });
    expect(own.pods[0]?.slice(3, 7)).to.deep.equal(['250m (25%)', '0 (0%)', '0 (0%)', '0 (0%)']);
    const { pods: shown, resources } = await describeNode(pods, { cpu: '1' }, {}, 'kubernetes');
    const none = '0 (-9223372036854775808%)';
    expect(shown[0]?.slice(3, 7)).to.deep.equal(['250m (25%)', '0 (0%)', none, none]);
    expect(resources[1]).to.deep.equal(['memory', '0 (0%)', '0 (0%)']);
  });

  const cases: readonly [string, object, readonly string[]][] = [
    [
      'adds containers up',
      { containers: [containerOf({ cpu: '100m' }, { cpu: '1' }), containerOf({ cpu: '0.4' })] },
      ['500m (50%)', '1 (100%)', '0 (0%)', '0 (0%)'],
    ],
    [
      'takes the largest init container where it needs more than all others together',
      {
        containers: [containerOf({ cpu: '100m' }), containerOf({ cpu: '100m' })],
        initContainers: [
          containerOf({ cpu: '150m' }),
          containerOf({ cpu: '300m' }),
          containerOf({ cpu: '250m' }),
        ],
      },
      ['300m (30%)', '0 (0%)', '0 (0%)', '0 (0%)'],
    ],
    [
      'counts shares in doubles, as release 1.20 does it',
      { containers: [containerOf({ cpu: '290m' }, { cpu: '570m' })] },
      ['290m (28%)', '570m (56%)', '0 (0%)', '0 (0%)'],
    ],
    [
      'leaves init containers out that need less',
      { containers: [containerOf({ cpu: '300m' })], initContainers: [containerOf({ cpu: '200m' })] },
      ['300m (30%)', '0 (0%)', '0 (0%)', '0 (0%)'],
    ],
    [
      'shows more than everything',
      { containers: [containerOf({ memory: '3Gi' }, { memory: '5Gi' })] },
      ['0 (0%)', '0 (0%)', '3Gi (300%)', '5Gi (500%)'],
    ],
    [
      'adds the overhead of a pod to what it requests and to limits that there are',
      {
        containers: [containerOf({ cpu: '250m', memory: '128Mi' }, { cpu: '500m' })],
        overhead: { cpu: '250m', memory: '128Mi' },
      },
      ['500m (50%)', '750m (75%)', '256Mi (25%)', '0 (0%)'],
    ],
    [
      'adds the overhead on top of the largest init container',
      {
        containers: [containerOf({ cpu: '100m' }, { cpu: '100m' })],
        initContainers: [containerOf({ cpu: '200m' }, { cpu: '300m' })],
        overhead: { cpu: '50m' },
      },
      ['250m (25%)', '350m (35%)', '0 (0%)', '0 (0%)'],
    ],
    [
      'takes the overhead for a request where containers request nothing',
      { containers: [containerOf({})], overhead: { cpu: '250m', memory: '512Mi' } },
      ['250m (25%)', '0 (0%)', '512Mi (50%)', '0 (0%)'],
    ],
    [
      'takes what is no quantity for none',
      { containers: [containerOf({ cpu: 'much', memory: '512Mi' })], overhead: { cpu: 7 } },
      ['0 (0%)', '0 (0%)', '512Mi (50%)', '0 (0%)'],
    ],
    [
      'bears pods of any form',
      { containers: [null, 'x', { resources: 'x' }], overhead: 'x' },
      Array(4).fill('0 (0%)'),
    ],
  ];
  for (const [title, spec, amounts] of cases) {
    it(title, async () => expect(await amountsOf(spec)).to.deep.equal(amounts));
  }

  it('adds up all pods, those of vendors without a share, in the order of their names', async () => {
    const pods = ['a', 'b'].map((name) =>
      podOf(
        {
          containers: [containerOf({ cpu: '100m', 'x.y/b': '2', 'hugepages-2Mi': '4Mi' }, { 'x.y/b': '2' })],
          overhead: { cpu: '50m' },
        },
        name,
      ),
    );
    const { resources } = await describeNode(pods, {
      ...{ 'x.y/b': '4', 'x.y/a': '1', pods: '110', memory: '1Gi', cpu: '1' },
      ...{ 'hugepages-2Mi': '16Mi', 'hugepages-1Gi': '0', 'ephemeral-storage': '1Gi' },
    });
    expect(resources).to.deep.equal([
      ['cpu', '300m (30%)', '0 (0%)'],
      ['memory', '0 (0%)', '0 (0%)'],
      ['ephemeral-storage', '0 (0%)', '0 (0%)'],
      ['hugepages-1Gi', '0 (0%)', '0 (0%)'],
      ['hugepages-2Mi', '8Mi (50%)', '0 (0%)'],
      ['x.y/a', '0', '0'],
      ['x.y/b', '4', '4'],
    ]);
  });

  it('measures against the capacity of a node that does not say what can be had', async () => {
    const spec = { containers: [containerOf({ cpu: '1' })] };
    const { asked: _, ...found } = await describeNode([podOf(spec)], null, { cpu: '4' });
    expect(found.resources[0]).to.deep.equal(['cpu', '1 (25%)', '0 (0%)']);
  });

  it('divides by no zero', async () => {
    const { resources } = await describeNode([podOf({ containers: [containerOf({ cpu: '1' })] })], {
      cpu: '0',
    });
    expect(resources[0]).to.deep.equal(['cpu', '1 (0%)', '0 (0%)']);
  });
});
