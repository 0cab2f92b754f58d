import { expect } from 'chai';
import { formatIdentity } from '../../../../../src/machinery/apply/managed-fields/identity.ts';
import { applyConflict, applyFailure } from '../../../../../src/machinery/apply/managed-fields/status.ts';
import type { FieldConflict } from '../../../../../src/machinery/apply/merge/conflict.ts';

const applier = formatIdentity({ manager: 'kustomizer', operation: 'Apply', apiVersion: 'apps/v1' });
const updater = formatIdentity({ manager: 'ctl "x"', operation: 'Update', apiVersion: 'apps/v1' });
const nobody = formatIdentity({ operation: 'Update' });

const conflictOf = (manager: string, ...path: string[]): FieldConflict => ({ manager, path });

describe('applyConflict', () => {
  const rows: readonly (readonly [string, readonly FieldConflict[], string])[] = [
    [
      'one field of an applier',
      [conflictOf(applier, 'f:spec', 'f:replicas')],
      'Apply failed with 1 conflict: conflict with "kustomizer": .spec.replicas',
    ],
    [
      'one field of an updater, whose version is named',
      [conflictOf(updater, 'f:data', 'f:a')],
      'Apply failed with 1 conflict: conflict with "ctl \\"x\\"" using apps/v1: .data.a',
    ],
    [
      'an updater without name and version',
      [conflictOf(nobody, 'f:data')],
      'Apply failed with 1 conflict: conflict with "" using : .data',
    ],
    [
      'several fields of several managers, each named once',
      [
        conflictOf(applier, 'f:spec', 'f:replicas'),
        conflictOf(applier, 'f:spec', 'f:containers', 'k:{"name":"c"}', 'f:image'),
        conflictOf(updater, 'f:data', 'f:a'),
      ],
      'Apply failed with 3 conflicts: conflicts with "kustomizer":\n- .spec.replicas\n' +
        '- .spec.containers[name="c"].image\nconflicts with "ctl \\"x\\"" using apps/v1:\n- .data.a',
    ],
  ];
  for (const [title, conflicts, message] of rows) {
    it(title, () => {
      const { status } = applyConflict(conflicts);
      expect(status.message).to.equal(message);
      expect(status.code).to.equal(409);
      expect(status.reason).to.equal('Conflict');
      expect(status.details?.causes).to.have.length(conflicts.length);
    });
  }

  it('has a cause for each field', () => {
    const { status } = applyConflict([
      conflictOf(updater, 'f:set', 'v:"a"'),
      conflictOf(applier, 'f:l', 'i:0'),
    ]);
    expect(status.details).to.deep.equal({
      causes: [
        {
          reason: 'FieldManagerConflict',
          message: 'conflict with "ctl \\"x\\"" using apps/v1',
          field: '.set[="a"]',
        },
        { reason: 'FieldManagerConflict', message: 'conflict with "kustomizer"', field: '.l[0]' },
      ],
    });
  });
});

describe('applyFailure', () => {
  it('is an answer 500 without a reason', () => {
    const { status } = applyFailure('failed to create typed patch object: x');
    expect(status.code).to.equal(500);
    expect(status).to.not.have.property('reason');
    expect(status.message).to.equal('failed to create typed patch object: x');
  });
});
