import { expect } from 'chai';
import {
  type Decision,
  type DependentFacts,
  decide,
  type OwnerState,
  ownerState,
} from '../../../src/controllers/garbage-collector/decide.ts';
import type { ObjectMeta } from '../../../src/machinery/meta/index.ts';

const reference = (uid: string) => ({
  apiVersion: 'v1',
  kind: 'K',
  name: uid,
  uid,
  blockOwnerDeletion: true,
});
const alone: DependentFacts = { hasDependents: false, hasWaitingDependent: false };
const parent: DependentFacts = { hasDependents: true, hasWaitingDependent: false };
const circle: DependentFacts = { hasDependents: true, hasWaitingDependent: true };
const unblocked = (uid: string) => ({ ...reference(uid), blockOwnerDeletion: false });

describe('decide', () => {
  const cases: [string, OwnerState[], DependentFacts, string[], Decision][] = [
    ['keeps an object with solid owners', ['solid', 'solid'], parent, [], { kind: 'keep' }],
    [
      'drops references to owners that are gone',
      ['solid', 'dangling'],
      alone,
      [],
      { kind: 'setOwners', owners: [reference('0')] },
    ],
    [
      'drops references to owners that wait, too',
      ['waiting', 'solid'],
      alone,
      [],
      { kind: 'setOwners', owners: [reference('1')] },
    ],
    ['deletes an object without owners', ['dangling'], parent, [], { kind: 'delete', policy: 'Background' }],
    [
      'deletes as the finalizers of the object say',
      ['dangling'],
      parent,
      ['foregroundDeletion'],
      { kind: 'delete', policy: 'Foreground' },
    ],
    [
      'lets orphaning win',
      ['dangling'],
      alone,
      ['foregroundDeletion', 'orphan'],
      { kind: 'delete', policy: 'Orphan' },
    ],
    [
      'deletes a leaf that is waited for at once',
      ['waiting'],
      alone,
      [],
      { kind: 'delete', policy: 'Background' },
    ],
    [
      'deletes in the foreground below an owner that waits',
      ['waiting', 'dangling'],
      parent,
      [],
      { kind: 'delete', policy: 'Foreground', owners: undefined },
    ],
    [
      'opens a circle first',
      ['waiting'],
      circle,
      [],
      { kind: 'delete', policy: 'Foreground', owners: [unblocked('0')] },
    ],
  ];
  for (const [title, states, facts, finalizers, expected] of cases) {
    it(title, () => {
      const findings = states.map((state, at) => ({ reference: reference(String(at)), state }));
      expect(decide({ name: 'o', finalizers }, findings, facts)).to.deep.equal(expected);
    });
  }
});

describe('ownerState', () => {
  const deletionTimestamp = '2020-01-01T00:00:00Z';
  const finalizers = ['foregroundDeletion'];
  const cases: [string, ObjectMeta | undefined, OwnerState][] = [
    ['gone', undefined, 'dangling'],
    ['another object of the name', { uid: 'y' }, 'dangling'],
    ['there', { uid: 'x' }, 'solid'],
    ['there with the finalizer only', { uid: 'x', finalizers }, 'solid'],
    ['deleted in the background', { uid: 'x', deletionTimestamp, finalizers: ['example.com/f'] }, 'solid'],
    ['deleted in the foreground', { uid: 'x', deletionTimestamp, finalizers }, 'waiting'],
  ];
  for (const [title, metadata, expected] of cases) {
    it(`${expected}: ${title}`, () => {
      expect(ownerState(reference('x'), metadata)).to.equal(expected);
    });
  }
});
