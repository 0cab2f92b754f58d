import { expect } from 'chai';
import fc from 'fast-check';
import type { Pod, PodTemplateSpec } from '../../../../src/apis/types/core-v1.ts';
import { decideHistory, hashOf, surplusHistory } from '../../../../src/controllers/daemon-set/history.ts';
import {
  sortRevisions,
  type TemplateRevision,
  templateData,
} from '../../../../src/controllers/revision-history/index.ts';

const hashLabel = 'controller-revision-hash';
const templateOf = (image: string): PodTemplateSpec => ({
  metadata: {},
  spec: { containers: [{ name: 'c', image, resources: {} }] },
});

/** A revision as `NAME:IMAGE:NUMBER`; its hash is its name. */
function revision(text: string): TemplateRevision {
  const [name = '', image = '', number = '1'] = text.split(':');
  return {
    ...{ kind: 'ControllerRevision', apiVersion: 'apps/v1', revision: Number(number) },
    metadata: { name, labels: { [hashLabel]: name }, creationTimestamp: '2026-01-01T00:00:00Z' },
    data: templateData(templateOf(image)),
  };
}

const podOf = (hash: string): Pod => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: `pod-${hash}`, uid: hash, labels: { [hashLabel]: hash } },
  spec: { containers: [] },
  status: {},
});

const namesOf = (objects: readonly { metadata: { name?: string | undefined } }[]) =>
  objects.map(({ metadata }) => metadata.name);

describe('the history of a daemon set', () => {
  /** History, template of now > what is done, duplicates, pods that get another hash; each revision has a pod. */
  const cases: [string, string[], string, string, string[], string[]][] = [
    ['begins with 1', [], 'x', 'create 1', [], []],
    ['gets a template that it has not', ['a:x:1', 'b:y:5'], 'z', 'create 6', [], []],
    ['keeps the newest', ['a:x:1', 'b:y:2'], 'y', 'keep b', [], []],
    ['has one that was taken up again at its end', ['a:x:1', 'b:y:2'], 'x', 'renumber a 3', [], []],
    ['keeps the newest of equal ones', ['a:x:1', 'b:x:2'], 'x', 'keep b', ['a'], ['pod-a']],
    [
      'has the newest of equal ones at its end',
      ['a:x:1', 'b:x:2', 'c:y:3'],
      'x',
      'renumber b 4',
      ['a'],
      ['pod-a'],
    ],
    ['keeps one of those with the same number', ['a:x:2', 'b:x:2'], 'x', 'keep b', ['a'], ['pod-a']],
    ['gives nobody the number of another', ['a:y:2', 'b:x:2'], 'x', 'renumber b 3', [], []],
    ['lets equal ones of another template be', ['a:x:1', 'b:x:2', 'c:y:3'], 'y', 'keep c', [], []],
  ];
  for (const [what, history, image, expected, duplicates, relabeled] of cases) {
    it(what, () => {
      const revisions = sortRevisions(history.map(revision));
      const pods = revisions.map((each) => podOf(hashOf(each)));
      const plan = decideHistory(revisions, templateOf(image), pods);
      const { step } = plan;
      const done =
        step.kind === 'create'
          ? `create ${step.revision}`
          : `${step.kind} ${step.revision.metadata.name}${step.kind === 'keep' ? '' : ` ${step.revision.revision}`}`;
      expect(done).to.equal(expected);
      expect(namesOf(plan.duplicates)).to.deep.equal(duplicates);
      expect(namesOf(plan.relabeled)).to.deep.equal(relabeled);
    });
  }

  it('is right after one step, whatever it was: the template is there once, with the highest number', () => {
    const image = fc.constantFrom('x', 'y', 'z');
    const stored = fc.array(fc.tuple(image, fc.integer({ min: 1, max: 4 })), { maxLength: 7 });
    fc.assert(
      fc.property(stored, image, (parts, now) => {
        const history = sortRevisions(parts.map(([of, number], at) => revision(`r${at}:${of}:${number}`)));
        const pods = history.map((each) => podOf(hashOf(each)));
        const { step, duplicates, relabeled } = decideHistory(history, templateOf(now), pods);
        const newest = step.kind === 'create' ? revision(`new:${now}:${step.revision}`) : step.revision;
        const after = sortRevisions([
          ...history.filter(
            (each) => !duplicates.includes(each) && each.metadata.name !== newest.metadata.name,
          ),
          newest,
        ]);
        expect(after.at(-1)).to.equal(newest);
        expect(after.filter((each) => each.revision === newest.revision)).to.have.lengthOf(1);
        const hashes = new Set(after.map(hashOf));
        const known = pods.map((pod) => (relabeled.includes(pod) ? podOf(hashOf(newest)) : pod));
        for (const { metadata } of known)
          expect(hashes.has(metadata.labels?.[hashLabel] ?? '')).to.equal(true);
        const again = decideHistory(after, templateOf(now), known);
        expect(again).to.deep.equal({
          step: { kind: 'keep', revision: newest },
          duplicates: [],
          relabeled: [],
        });
      }),
    );
  });

  const surplus: [string, string[], string[], number, string[]][] = [
    ['loses the oldest beyond the limit', ['a', 'b', 'c', 'now'], [], 1, ['a', 'b']],
    ['keeps what pods have', ['a', 'b', 'c', 'now'], ['a'], 1, ['b', 'c']],
    ['keeps the current revision wherever it stands', ['now', 'a'], [], 0, ['a']],
    ['keeps all within the limit', ['a', 'now'], [], 1, []],
  ];
  for (const [name, history, used, limit, expected] of surplus) {
    it(name, () => {
      const found = surplusHistory(history.map(revision), { current: 'now', pods: used.map(podOf), limit });
      expect(namesOf(found)).to.deep.equal(expected);
    });
  }
});
