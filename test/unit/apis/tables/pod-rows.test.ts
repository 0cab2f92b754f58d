import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createTablePrinters } from '../../../../src/apis/tables/index.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const pods = createTablePrinters({ dialect: orchDialect, gates: new Set() })({ group: '', resource: 'pods' });
const type = createTypeCatalog(orchDialect).type('v1.Pod');

function rowOf(pod: { metadata?: object; spec?: object; status: object }) {
  const spec = { containers: [{ name: 'a' }, { name: 'b' }], ...pod.spec };
  const metadata = { name: 'p', creationTimestamp: '2021-01-01T00:00:00Z', ...pod.metadata };
  // The decoded value is of the type that its decoder is for.
  const object = type.decode({ metadata, spec, status: pod.status }) as unknown as Pod;
  return pods.row(object, Date.UTC(2021, 0, 1, 1));
}

const waiting = (reason?: string) => ({ waiting: reason === undefined ? {} : { reason } });
const terminated = (end: object) => ({ terminated: { exitCode: 0, ...end } });
const running = { running: {} };
const status = (state: object, more: object = {}) => ({
  name: 'x',
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  state,
  ...more,
});
const up = status(running, { ready: true, restartCount: 1 });
const two = { initContainers: [{ name: 'i' }, { name: 'j' }] };

describe('pod rows', () => {
  for (const [title, pod, ready, reason, restarts] of [
    ['phase without statuses', { status: { phase: 'Pending' } }, '0/2', 'Pending', 0],
    ['reason of the status', { status: { phase: 'Failed', reason: 'Evicted' } }, '0/2', 'Evicted', 0],
    ['all running', { status: { phase: 'Running', containerStatuses: [up, up] } }, '2/2', 'Running', 2],
    [
      'the first container with something to say',
      {
        status: {
          phase: 'Running',
          containerStatuses: [status(waiting('ErrImagePull')), status(waiting('CrashLoopBackOff'))],
        },
      },
      '0/2',
      'ErrImagePull',
      0,
    ],
    [
      'waiting without a reason',
      { status: { phase: 'Pending', containerStatuses: [status(waiting())] } },
      '0/2',
      'Pending',
      0,
    ],
    [
      'killed by a signal',
      { status: { phase: 'Running', containerStatuses: [status(terminated({ exitCode: 137, signal: 9 }))] } },
      '0/2',
      'Signal:9',
      0,
    ],
    [
      'ended with a code',
      { status: { phase: 'Running', containerStatuses: [status(terminated({ exitCode: 3 }))] } },
      '0/2',
      'ExitCode:3',
      0,
    ],
    [
      'one done, one running and the pod ready',
      {
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [status(terminated({ reason: 'Completed' })), up],
        },
      },
      '1/2',
      'Running',
      1,
    ],
    [
      'one done, one running and the pod not ready',
      {
        status: { phase: 'Running', containerStatuses: [status(terminated({ reason: 'Completed' })), up] },
      },
      '1/2',
      'NotReady',
      1,
    ],
    [
      'initializing',
      {
        spec: two,
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            status(terminated({}), { restartCount: 2 }),
            status(running, { restartCount: 1 }),
          ],
        },
      },
      '0/2',
      'Init:1/2',
      3,
    ],
    [
      'about to initialize',
      { spec: two, status: { initContainerStatuses: [status(waiting('PodInitializing'))] } },
      '0/2',
      'Init:0/2',
      0,
    ],
    [
      'initialization waits',
      { spec: two, status: { initContainerStatuses: [status(waiting('CrashLoopBackOff'))] } },
      '0/2',
      'Init:CrashLoopBackOff',
      0,
    ],
    [
      'initialization failed with a reason',
      {
        spec: two,
        status: { initContainerStatuses: [status(terminated({ exitCode: 1, reason: 'Error' }))] },
      },
      '0/2',
      'Init:Error',
      0,
    ],
    [
      'initialization failed with a code',
      { spec: two, status: { initContainerStatuses: [status(terminated({ exitCode: 1 }))] } },
      '0/2',
      'Init:ExitCode:1',
      0,
    ],
    [
      'initialization killed',
      { spec: two, status: { initContainerStatuses: [status(terminated({ exitCode: 1, signal: 15 }))] } },
      '0/2',
      'Init:Signal:15',
      0,
    ],
    [
      'restarts of init containers do not count afterwards',
      {
        spec: two,
        status: {
          phase: 'Running',
          initContainerStatuses: [status(terminated({}), { restartCount: 5 })],
          containerStatuses: [up],
        },
      },
      '1/2',
      'Running',
      1,
    ],
    [
      'being deleted',
      {
        metadata: { deletionTimestamp: '2021-01-01T00:00:00Z' },
        status: { phase: 'Running', containerStatuses: [up] },
      },
      '1/2',
      'Terminating',
      1,
    ],
    [
      'being deleted on a lost node',
      { metadata: { deletionTimestamp: '2021-01-01T00:00:00Z' }, status: { reason: 'NodeLost' } },
      '0/2',
      'Unknown',
      0,
    ],
  ] as const) {
    it(`shows ${title}`, () => {
      expect(rowOf(pod).cells?.slice(1, 4)).to.deep.equal([ready, reason, restarts]);
    });
  }

  it('shows where the pod is and which gates it passed', () => {
    const { cells } = rowOf({
      spec: { nodeName: 'n', readinessGates: [{ conditionType: 'x' }, { conditionType: 'y' }] },
      status: {
        podIPs: [{ ip: '10.0.0.1' }],
        nominatedNodeName: 'm',
        conditions: [
          { type: 'x', status: 'True' },
          { type: 'y', status: 'False' },
        ],
      },
    });
    expect(cells).to.deep.equal(['p', '0/2', '', 0, '60m', '10.0.0.1', 'n', 'm', '1/2']);
    expect(rowOf({ status: {} }).cells?.slice(5)).to.deep.equal(['<none>', '<none>', '<none>', '<none>']);
  });

  it('marks finished pods', () => {
    expect(rowOf({ status: { phase: 'Succeeded' } }).conditions).to.deep.equal([
      {
        type: 'Completed',
        status: 'True',
        reason: 'Succeeded',
        message: 'The pod has completed successfully.',
      },
    ]);
    expect(rowOf({ status: { phase: 'Failed' } }).conditions?.[0]?.reason).to.equal('Failed');
    expect(rowOf({ status: { phase: 'Running' } })).not.to.have.property('conditions');
  });
});
