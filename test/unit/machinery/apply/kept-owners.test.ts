import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { fieldSetOf } from '../../../../src/machinery/apply/fieldpath/field-set.ts';
import { unionOf } from '../../../../src/machinery/apply/fieldpath/set-algebra.ts';
import { createApplySchemaCompiler } from '../../../../src/machinery/apply/index.ts';
import { stripUnowned, unownedFields } from '../../../../src/machinery/apply/managed-fields/strip.ts';
import {
  equalManagers,
  type ManagerSet,
  type TypedObject,
} from '../../../../src/machinery/apply/merge/managers.ts';
import { updateOwnership } from '../../../../src/machinery/apply/merge/updater.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { takingSteps } from './support/at-once.ts';

const updateAtOnce = takingSteps(updateOwnership);

const catalog = createTypeCatalog(orchDialect);
const schema = createApplySchemaCompiler(catalog).compile(catalog.type('v1.ConfigMap'));

const metadata = fc.record(
  {
    uid: fc.constantFrom('u', 'v'),
    labels: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2')),
    finalizers: fc.uniqueArray(fc.constantFrom('x/a', 'x/b')),
  },
  { requiredKeys: [] },
);
const data = fc.dictionary(fc.constantFrom('k', 'l'), fc.constantFrom('1', '2'));
const object = fc
  .record({ metadata, data }, { requiredKeys: ['metadata'] })
  .map((members): TypedObject => ({ object: { ...members }, apiVersion: 'v1', schema }));

const paths = [
  ['f:metadata', 'f:uid'],
  ['f:metadata', 'f:labels'],
  ['f:metadata', 'f:labels', 'f:a'],
  ['f:metadata', 'f:labels', 'f:b'],
  ['f:metadata', 'f:finalizers'],
  ['f:metadata', 'f:finalizers', 'v:"x/a"'],
  ['f:data'],
  ['f:data', 'f:k'],
  ['f:data', 'f:l'],
];
const owner = fc.record({
  set: fc.subarray(paths).map((some) => fieldSetOf(...some)),
  apiVersion: fc.constantFrom('v1', 'v1', 'v1', 'v2'),
  isApplied: fc.constantFrom(false, false, true),
});
const managers = fc.record({ writer: owner, other: owner }, { requiredKeys: ['writer'] });

/** Owners after an update, as the steps one after the other make them. */
function updated(live: TypedObject, after: TypedObject, before: ReadonlyMap<string, ManagerSet>) {
  const input = { live, object: after, managers: before, manager: 'update', unowned: unownedFields };
  const owners = updateAtOnce({ ...input, writer: 'nobody', convert: () => undefined });
  if (owners === undefined) throw new Error('nobody cannot have owned anything');
  stripUnowned(owners, 'update');
  const own = owners.get('update');
  owners.delete('update');
  const isRenewed = own !== undefined;
  if (own !== undefined) {
    const held = owners.get('writer');
    owners.set('writer', { ...own, set: held === undefined ? own.set : unionOf(held.set, own.set) });
  }
  return { owners, isRenewed };
}

const typed = (value: string): TypedObject => ({
  object: { metadata: {}, data: { k: value } },
  apiVersion: 'v1',
  schema,
});
const apiVersion = 'v1' as const;
const own = { set: fieldSetOf(['f:data'], ['f:data', 'f:k']), apiVersion, isApplied: false };
const other = { set: fieldSetOf(['f:data', 'f:l']), apiVersion, isApplied: true };

describe('updateOwnership', () => {
  it('says that owners stay as they are only when each step leaves them so, and the writer has written', () => {
    let kept = 0;
    fc.assert(
      fc.property(object, object, managers, (live, after, given) => {
        const before = new Map(Object.entries(given));
        const input = { live, object: after, managers: before, manager: 'update', unowned: unownedFields };
        const result = updateAtOnce({ ...input, writer: 'writer', convert: () => undefined });
        if (result !== undefined) return;
        kept++;
        const { owners, isRenewed } = updated(live, after, before);
        expect(isRenewed).to.equal(true);
        expect(equalManagers(owners, before)).to.equal(true);
      }),
      // Of random writes some 25 leave all owners; the given one does so whatever the others are.
      { numRuns: 5000, examples: [[typed('1'), typed('2'), { writer: own, other }]] },
    );
    expect(kept).to.be.greaterThan(0);
  });

  it('says so of a write that its writer makes again with other values', () => {
    const write = (owners: Record<string, ManagerSet>) =>
      updateAtOnce({
        live: typed('1'),
        object: typed('2'),
        managers: new Map(Object.entries(owners)),
        manager: 'update',
        writer: 'writer',
        unowned: unownedFields,
        convert: () => undefined,
      });
    expect(write({ writer: own, other })).to.equal(undefined);
    expect(write({ other }), 'the writer is new').not.to.equal(undefined);
    expect(write({ writer: own, other: own }), 'another owns it too').not.to.equal(undefined);
    expect(write({ writer: { ...own, isApplied: true }, other }), 'applied before').not.to.equal(undefined);
  });
});
