import { expect } from 'chai';
import type { ConfigMap } from '../../../../src/apis/types/core-v1.ts';
import {
  planAssignment,
  planReset,
  readPayload,
} from '../../../../src/nodeagent/dynamic-config/plan-sync.ts';
import { source } from './sources.ts';

describe('planAssignment', () => {
  const current = source();
  const isThere = { hasCheckpoint: true };
  const isMissing = { hasCheckpoint: false };

  it('keeps what is assigned already, also when it could not be started with', () => {
    for (const active of [current, undefined]) {
      expect(planAssignment(current, { assigned: current, active }, isThere)).to.deep.equal({ kind: 'keep' });
    }
  });

  it('restarts for each other version, and downloads it once', () => {
    const state = { assigned: current, active: current };
    for (const next of [source({ resourceVersion: '8' }), source({ uid: 'v' }), source({ key: 'other' })]) {
      const plan = { kind: 'assign', mustRestart: true };
      expect(planAssignment(next, state, isMissing)).to.deep.equal({ ...plan, mustSave: true });
      expect(planAssignment(next, state, isThere)).to.deep.equal({ ...plan, mustSave: false });
    }
    expect(planAssignment(current, {}, isMissing)).to.include({ mustRestart: true, mustSave: true });
  });

  it('brings back a checkpoint that was lost; one that could not be loaded gets another chance', () => {
    const kept = { kind: 'assign', mustSave: true };
    expect(planAssignment(current, { assigned: current, active: current }, isMissing)).to.deep.equal({
      ...kept,
      mustRestart: false,
    });
    expect(planAssignment(current, { assigned: current }, isMissing)).to.deep.equal({
      ...kept,
      mustRestart: true,
    });
  });
});

describe('planReset', () => {
  it('restarts only when something was assigned', () => {
    const lastKnownGood = source();
    expect(planReset({})).to.deep.equal({ kind: 'keep' });
    expect(planReset({ lastKnownGood })).to.deep.equal({ kind: 'reset', mustRestart: false });
    expect(planReset({ assigned: source(), lastKnownGood })).to.include({ mustRestart: true });
    expect(planReset({ isDamaged: true })).to.deep.equal({ kind: 'reset', mustRestart: true });
  });
});

describe('readPayload', () => {
  const { uid, resourceVersion, ...wanted } = source();
  const map = (data: unknown, metadata: object = { uid, resourceVersion }): ConfigMap =>
    ({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data }) as ConfigMap; // also what a server must not send

  it('takes all texts of the ConfigMap, and its version', () => {
    expect(readPayload(wanted, map({ main: 'a', other: 'b' }))).to.deep.equal({
      source: source(),
      files: new Map([
        ['main', 'a'],
        ['other', 'b'],
      ]),
    });
    expect(readPayload(wanted, map(undefined))).to.deep.equal({ source: source(), files: new Map() });
  });

  it('refuses what cannot be kept', () => {
    const refused = [
      map({ '../x': '' }),
      map({ 'a/b': '' }),
      map({ main: 7 }),
      map({ main: 'x'.repeat(2 ** 21 + 1) }),
      map({}, {}),
      map({}, { uid: '..', resourceVersion }),
      map({}, { uid, resourceVersion: 'a/b' }),
    ];
    for (const each of refused) {
      expect(readPayload(wanted, each)).to.include({ failure: 'internal' });
    }
  });
});
