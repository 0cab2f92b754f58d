import { expect } from 'chai';
import fc from 'fast-check';
import type { PodTemplateSpec } from '../../../../src/apis/types/core-v1.ts';
import {
  decideRevision,
  holdsTemplate,
  sortRevisions,
  surplusRevisions,
  type TemplateRevision,
  templateData,
} from '../../../../src/controllers/revision-history/index.ts';

const templateWith = (image: string): PodTemplateSpec => ({
  metadata: {},
  spec: { containers: [{ name: 'c', image, resources: {} }] },
});
const revisionOf = (name: string, image: string, revision: number): TemplateRevision => ({
  ...{ kind: 'ControllerRevision', apiVersion: 'apps/v1', revision },
  metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
  data: templateData(templateWith(image)),
});
const image = fc.constantFrom('x', 'y', 'z');
const anyHistory = fc
  .array(fc.tuple(image, fc.integer({ min: 1, max: 5 })), { maxLength: 7 })
  .map((parts) => parts.map(([of, revision], at) => revisionOf(`r${at}`, of, revision)));
const namesOf = (revisions: readonly TemplateRevision[]) => revisions.map(({ metadata }) => metadata.name);

describe('the history of any owner', () => {
  it('ends with the template of now after one step, and is then kept, in whatever order it was read', () => {
    fc.assert(
      fc.property(anyHistory, image, (stored, now) => {
        const history = sortRevisions(stored);
        expect(namesOf(sortRevisions(stored.toReversed()))).to.deep.equal(namesOf(history));
        const template = templateWith(now);
        const step = decideRevision(history, template);
        let after = history;
        if (step.kind === 'create') after = [...history, revisionOf('new', now, step.revision)];
        if (step.kind === 'renumber') {
          const { name } = step.revision.metadata;
          after = history.map((each) => (each.metadata.name === name ? step.revision : each));
        }
        const sorted = sortRevisions(after);
        const newest = sorted.at(-1);
        expect(newest && holdsTemplate(newest, template)).to.equal(true);
        expect(decideRevision(sorted, template).kind).to.equal('keep');
        if (step.kind !== 'keep') {
          const numbers = history.map(({ revision }) => revision);
          expect(newest?.revision).to.be.above(Math.max(0, ...numbers));
        }
      }),
    );
  });

  it('is data whose keys are in order, as clients compare it byte by byte', () => {
    const template: PodTemplateSpec = {
      spec: { restartPolicy: 'Always', containers: [{ name: 'c', image: 'x', resources: {} }] },
      metadata: { labels: { b: '1', a: '2' } },
    };
    expect(JSON.stringify(templateData(template))).to.equal(
      '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"2","b":"1"}},' +
        '"spec":{"containers":[{"image":"x","name":"c","resources":{}}],"restartPolicy":"Always"}}}}',
    );
  });

  it('begins anew with an amount in another unit', () => {
    const withMemory = (memory: string): PodTemplateSpec => ({
      metadata: {},
      spec: { containers: [{ name: 'c', image: 'x', resources: { limits: { memory } } }] },
    });
    const revision = { ...revisionOf('a', 'x', 1), data: templateData(withMemory('1Ki')) };
    expect(holdsTemplate(revision, withMemory('1Ki'))).to.equal(true);
    expect(holdsTemplate(revision, withMemory('1024'))).to.equal(false);
  });

  it('loses no revision that is in use, no more than are too many, and nothing twice', () => {
    fc.assert(
      fc.property(anyHistory, fc.subarray(['r0', 'r1', 'r2', 'r3']), fc.nat(4), (stored, used, limit) => {
        const history = sortRevisions(stored);
        const inUse = new Set(used);
        const surplus = surplusRevisions(history, inUse, limit);
        for (const name of namesOf(surplus)) expect(used).to.not.include(name);
        const left = history.filter((revision) => !surplus.includes(revision));
        expect(surplusRevisions(left, inUse, limit)).to.deep.equal([]);
        const unused = left.filter(({ metadata }) => !inUse.has(metadata.name ?? ''));
        expect(unused).to.have.lengthOf(Math.min(limit, unused.length + surplus.length));
        const youngestLost = Math.max(0, ...surplus.map(({ revision }) => revision));
        for (const { revision } of unused) expect(revision).to.be.least(youngestLost);
      }),
    );
  });
});
