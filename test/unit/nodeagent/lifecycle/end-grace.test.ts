import { expect } from 'chai';
import { endGraceMs, stricterVerdict } from '../../../../src/nodeagent/lifecycle/end-grace.ts';
import { deleted, podOf } from './subject.ts';

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
