import { expect } from 'chai';
import { describe, it } from 'mocha';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { ownLabels } from '../../../../src/nodeagent/legacyrt/container-labels.ts';
import type { ContainerDetails } from '../../../../src/nodeagent/legacyrt/engine-types.ts';
import { readContainer } from '../../../../src/nodeagent/legacyrt/read-container.ts';

const own = ownLabels(orchDialect);
const marks = { prefix: 'orch', ownLabels: own };
const never = '0001-01-01T00:00:00Z';
const noState = {
  Running: false,
  OOMKilled: false,
  Pid: 0,
  ExitCode: 0,
  Error: '',
  StartedAt: never,
  FinishedAt: never,
};

function detailsOf(
  state: Partial<ContainerDetails['State']>,
  more: Partial<ContainerDetails> = {},
): ContainerDetails {
  const labels = { [own.type]: 'container', [own.logPath]: '/logs/c.log', [own.createdAt]: '1000', app: 'x' };
  return {
    Id: 'id',
    Name: '/orch_c_pod_ns_uid_1',
    Created: '2026-01-01T00:00:00Z',
    State: { ...noState, Status: 'created', ...state },
    Image: 'sha256:1',
    LogPath: '/engine.log',
    ResolvConfPath: '',
    Config: { Image: 'busybox', Labels: labels, Tty: false, OpenStdin: false, StdinOnce: false },
    HostConfig: { NetworkMode: '', PidMode: '', IpcMode: '' },
    Mounts: null,
    ...more,
  };
}

describe('readContainer', () => {
  const started = '2026-01-01T00:00:01.5Z';
  const finished = '2026-01-01T00:00:02Z';
  const startedAtMs = Date.parse(started);
  const ended = { Status: 'exited', StartedAt: started, FinishedAt: finished };
  const finishedAtMs = Date.parse(finished);
  const lives = [
    [
      'a new one',
      {},
      { state: 'created', startedAtMs: undefined, finishedAtMs: undefined, exitCode: 0, reason: '' },
    ],
    [
      'one that runs',
      { Status: 'running', Running: true, StartedAt: started, FinishedAt: finished },
      { state: 'running', startedAtMs, finishedAtMs: undefined, exitCode: 0, reason: '' },
    ],
    [
      'one that is paused',
      { Status: 'paused', Running: true, StartedAt: started },
      { state: 'running', startedAtMs },
    ],
    [
      'one that ended well',
      ended,
      { state: 'exited', startedAtMs, finishedAtMs, exitCode: 0, reason: 'Completed' },
    ],
    ['one that failed', { ...ended, ExitCode: 3 }, { state: 'exited', exitCode: 3, reason: 'Error' }],
    [
      'one that took too much',
      { ...ended, ExitCode: 137, OOMKilled: true },
      { exitCode: 137, reason: 'OOMKilled' },
    ],
    [
      'one that could not start',
      { ExitCode: 127, Error: 'no such file' },
      {
        state: 'exited',
        startedAtMs: 1000,
        finishedAtMs: 1000,
        exitCode: 127,
        reason: 'ContainerCannotRun',
        message: 'no such file',
      },
    ],
    ['one in a state of the future', { Status: 'dreaming' }, { state: 'unknown' }],
  ] as const;
  for (const [what, state, wanted] of lives) {
    it(`tells of ${what}`, () => {
      expect(
        readContainer(detailsOf(state), { marks, image: { name: 'busybox:1', ref: 'ref' } }),
      ).to.deep.include(wanted);
    });
  }

  it('tells who it is and what it sees', () => {
    const Mounts = [
      { Source: '/a', Destination: '/b', Mode: 'Z,rslave,ro', RW: false, Propagation: 'rslave' },
      { Source: '/c', Destination: '/d', Mode: '', RW: true, Propagation: '' },
    ];
    expect(
      readContainer(detailsOf({}, { Mounts }), { marks, image: { name: 'busybox:1', ref: 'ref' } }),
    ).to.deep.include({
      id: 'id',
      metadata: { name: 'c', attempt: 1 },
      image: 'busybox:1',
      imageRef: 'ref',
      createdAtMs: 1000,
      labels: { app: 'x' },
      annotations: {},
      logPath: '/logs/c.log',
      mounts: [
        {
          containerPath: '/b',
          hostPath: '/a',
          isReadOnly: true,
          relabelsSelinux: true,
          propagation: 'host-to-container',
        },
        {
          containerPath: '/d',
          hostPath: '/c',
          isReadOnly: false,
          relabelsSelinux: false,
          propagation: 'private',
        },
      ],
    });
  });

  it('leaves alone what others made', () => {
    const options = { marks, image: { name: undefined, ref: '' } };
    expect(readContainer(detailsOf({}, { Name: '/mine' }), options)).to.equal(undefined);
    const Config = { ...detailsOf({}).Config, Labels: null };
    expect(readContainer(detailsOf({}, { Config }), options)).to.equal(undefined);
  });
});
