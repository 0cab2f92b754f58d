import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PodSpec, PodStatus } from '../../../../src/apis/types/core-v1.ts';
import type { ContainerStatus } from '../../../../src/nodeagent/runtime/index.ts';
import { decidePod } from '../../../../src/nodeagent/sync/decide-pod.ts';
import type { PodInput, PodVerdict } from '../../../../src/nodeagent/sync/pod-input.ts';
import { podStatus } from '../../../../src/nodeagent/sync/pod-status.ts';
import { failureOf, inputOf, instanceOf, memoryOf, nowMs, nowText, podOf, sandboxOf } from './pod-input.ts';

/** What the reference showed of a pod, and what the runtime had of it then. */
interface Recording {
  readonly name: string;
  readonly about: string;
  readonly podName: string;
  readonly spec: PodSpec;
  readonly instances?: readonly (Pick<ContainerStatus, 'state' | 'image' | 'imageRef'> & {
    readonly name: string;
    readonly attempt: number;
    readonly exitCode?: number;
    readonly reason?: string;
    readonly message?: string;
  })[];
  readonly hasAddress: boolean;
  readonly hasApi?: boolean;
  readonly failures?: Readonly<Record<string, { readonly reason: string; readonly message: string }>>;
  readonly unready?: readonly string[];
  readonly unstarted?: readonly string[];
  readonly verdict?: PodVerdict;
  readonly status: PodStatus;
}

// The file is ours and has this shape.
const recordings = JSON.parse(
  readFileSync(new URL('./recorded-statuses.json', import.meta.url), 'utf8'),
) as readonly Recording[];

function inputFrom(recording: Recording): PodInput {
  const { podName, spec, instances = [], failures = {}, unready = [], unstarted = [], verdict } = recording;
  const pod = podOf(spec, { name: podName });
  pod.status = { startTime: nowText };
  const nameOf = (id: string) => id.replace(/-\d+$/, '');
  return inputOf({
    pod,
    view: {
      sandboxes: [sandboxOf({ ips: recording.hasAddress ? ['10.1.0.5'] : [] })],
      containers: instances.map(({ name, attempt, ...more }) => instanceOf(name, attempt, more)),
    },
    memory: memoryOf({
      failures: new Map(
        Object.entries(failures).map(([name, failure]) => [
          name,
          failureOf({ ...failure, atMs: nowMs - 6000 }),
        ]),
      ),
    }),
    nowMs: nowMs + (spec.activeDeadlineSeconds ?? 0) * 1000,
    probesOf: (id) => ({
      health: 'fine',
      isStarted: !unstarted.includes(nameOf(id)),
      isReady: !unready.includes(nameOf(id)),
    }),
    verdict,
    ...(recording.hasApi === true ? { hostIp: '192.0.2.2' } : {}),
  });
}

describe('podStatus and what the reference was seen to write', () => {
  for (const recording of recordings) {
    it(`${recording.name}: ${recording.about}`, () => {
      expect(podStatus(inputFrom(recording))).to.deep.equal(recording.status);
    });
  }

  it('stays as it was once a pod has succeeded or failed, whatever its containers do', () => {
    const ended = recordings.filter(({ status }) => /Succeeded|Failed/.test(status.phase ?? ''));
    expect(ended.length).to.be.at.least(10);
    for (const recording of ended) {
      const input = inputFrom(recording);
      const { memory } = decidePod(input);
      expect(memory.status).to.deep.equal(recording.status);
      const later = { ...input, memory, view: { sandboxes: [], containers: [] }, nowMs: nowMs + 86_400_000 };
      expect(podStatus(later)).to.deep.equal(recording.status);
      expect(decidePod(later)).to.deep.include({ actions: [], hasEnded: true, syncAtMs: undefined });
    }
  });
});
