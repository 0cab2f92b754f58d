import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { endGraceMs, PodRecord, stricterVerdict } from '../../../../src/nodeagent/lifecycle/pod-record.ts';
import { deleted, podOf } from './subject.ts';

const recordOf = (pod: Pod): PodRecord => new PodRecord({ pod, nowMs: 0 });

describe('PodRecord.setPod', () => {
  const pod = podOf('u', { labels: { a: 'b' } });
  const others = {
    specification: { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } },
    labels: { ...pod, metadata: { ...pod.metadata, labels: { a: 'c' } } },
    annotations: { ...pod, metadata: { ...pod.metadata, annotations: { a: 'c' } } },
    deletion: deleted(pod, 5),
  };
  for (const [name, other] of Object.entries(others)) {
    it(`sees another ${name}`, () => expect(recordOf(pod).setPod(other)).to.equal(true));
  }
  it('sees no other status and version, but keeps them', () => {
    const metadata = { ...pod.metadata, resourceVersion: '7', managedFields: [] };
    const record = recordOf(pod);
    expect(record.setPod({ ...pod, metadata, status: { phase: 'Running' } })).to.equal(false);
    expect(record.status).to.deep.equal({ phase: 'Running' });
  });
  it('sees a shorter grace', () => {
    expect(recordOf(deleted(pod, 5)).setPod(deleted(pod, 4))).to.equal(true);
  });
});

describe('PodRecord', () => {
  it('knows what the next plan is for', () => {
    const record = recordOf(podOf('u'));
    const kinds = [record.syncKind];
    record.noteSynced();
    kinds.push(record.syncKind);
    record.setPod(podOf('u', { labels: { a: 'b' } }));
    kinds.push(record.syncKind);
    record.setRemoved();
    record.noteSynced();
    kinds.push(record.syncKind);
    expect(kinds).to.deep.equal(['create', 'sync', 'update', 'kill']);
  });

  it('shows a refused pod as failed from the beginning', () => {
    const verdict = { reason: 'OutOfcpu', message: 'too small' };
    const record = new PodRecord({ pod: podOf('u'), verdict, nowMs: 0 });
    expect(record.status).to.include({ phase: 'Failed', ...verdict });
  });
});

const verdict = { reason: 'Evicted', message: 'no room' };

describe('endGraceMs', () => {
  const pod = podOf('u', { spec: { terminationGracePeriodSeconds: 40 } });
  const cases: [name: string, expected: number, actual: number][] = [
    ['is that of the pod', 40_000, endGraceMs(pod, undefined)],
    ['is that of its deletion', 5000, endGraceMs(deleted(pod, 5), undefined)],
    ['is two seconds at least', 2000, endGraceMs(deleted(pod, 0), undefined)],
    ['is that of a verdict, however short', 0, endGraceMs(deleted(pod, 5), { ...verdict, graceMs: 0 })],
    ['is that of the pod when the verdict gives none', 40_000, endGraceMs(pod, verdict)],
  ];
  for (const [name, expected, actual] of cases) it(name, () => expect(actual).to.equal(expected));
});

describe('stricterVerdict', () => {
  const first = { ...verdict, message: 'first', graceMs: 9000 };
  it('is the first one', () => expect(stricterVerdict(undefined, first)).to.equal(first));
  it('keeps the words and takes the shorter grace', () => {
    expect(stricterVerdict(first, { ...verdict, graceMs: 0 })).to.deep.equal({ ...first, graceMs: 0 });
    expect(stricterVerdict(first, { ...verdict, graceMs: 20_000 })).to.deep.equal(first);
    expect(stricterVerdict(first, verdict)).to.deep.equal(first);
    expect(stricterVerdict(verdict, { ...first, graceMs: 1 })).to.deep.equal({ ...verdict, graceMs: 1 });
  });
});
