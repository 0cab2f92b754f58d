import { expect } from 'chai';
import fc from 'fast-check';
import {
  capUpdaters,
  maxUpdateManagers,
} from '../../../../../src/machinery/apply/managed-fields/cap-updaters.ts';
import { decodeManagedFields } from '../../../../../src/machinery/apply/managed-fields/decode.ts';
import { encodeManagedFields } from '../../../../../src/machinery/apply/managed-fields/encode.ts';
import { createFieldSetParser } from '../../../../../src/machinery/apply/managed-fields/set-cache.ts';
import type { ManagedFieldsEntry } from '../../../../../src/machinery/meta/index.ts';
import { takingSteps } from '../support/at-once.ts';

const encodeAtOnce = takingSteps(encodeManagedFields);

const parse = createFieldSetParser({ capacity: 10 });
const entry = (parts: ManagedFieldsEntry): ManagedFieldsEntry => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': {} },
  ...parts,
});
describe('capUpdaters', () => {
  const state = (entries: readonly ManagedFieldsEntry[]) => decodeManagedFields(entries, parse);
  const updaters = (count: number, apiVersion = 'v1'): ManagedFieldsEntry[] =>
    Array.from({ length: count }, (_, index) =>
      entry({
        manager: `m${index}`,
        apiVersion,
        time: `2020-01-01T00:00:${String(index).padStart(2, '0')}Z`,
        fieldsV1: { [`f:${apiVersion}-${index}`]: {} },
      }),
    );

  it('leaves ten alone, and any number of appliers', () => {
    const ten = state(updaters(maxUpdateManagers));
    expect(capUpdaters(ten)).to.equal(ten);
    const appliers = state(updaters(30).map((each) => ({ ...each, operation: 'Apply' })));
    expect(capUpdaters(appliers)).to.equal(appliers);
  });

  it('puts the two oldest of eleven together, with the time of the later', () => {
    const entries = encodeAtOnce(capUpdaters(state(updaters(11)))) ?? [];
    expect(entries).to.have.length(10);
    expect(entries[0]).to.deep.equal({
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2020-01-01T00:00:01Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:v1-0': {}, 'f:v1-1': {} },
    });
  });

  it('keeps versions apart', () => {
    const mixed = [
      ...updaters(7),
      ...updaters(7, 'v2').map((each) => ({ ...each, manager: `${each.manager}b` })),
    ];
    const entries = encodeAtOnce(capUpdaters(state(mixed))) ?? [];
    const buckets = entries.filter(({ manager }) => manager === 'ancient-changes');
    expect(entries).to.have.length(10);
    expect(buckets.map(({ apiVersion }) => apiVersion)).to.have.members(['v1', 'v2']);
    for (const { apiVersion, fieldsV1 } of buckets) {
      for (const field of Object.keys(fieldsV1 ?? {}))
        expect(field.startsWith(`f:${apiVersion}-`)).to.equal(true);
    }
  });

  it('loses no field', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.nat({ max: 20 }), (ones, twos) => {
        const entries = [
          ...updaters(ones),
          ...updaters(twos, 'v2').map((each) => ({ ...each, manager: `b${each.manager}` })),
        ];
        const capped = encodeAtOnce(capUpdaters(state(entries))) ?? [];
        const fields = (list: readonly ManagedFieldsEntry[]): string[] =>
          list.flatMap(({ fieldsV1 }) => Object.keys(fieldsV1 ?? {})).sort();
        expect(fields(capped)).to.deep.equal(fields(entries));
        expect(capped.length).to.be.at.most(Math.max(maxUpdateManagers, 2));
      }),
      { numRuns: 40 },
    );
  });

  it('adds to what was put together before', () => {
    let entries = updaters(11);
    for (let round = 0; round < 5; round++) {
      const capped = encodeAtOnce(capUpdaters(state(entries))) ?? [];
      entries = [
        ...capped,
        entry({
          manager: `n${round}`,
          time: `2020-01-01T00:01:0${round}Z`,
          fieldsV1: { [`f:n${round}`]: {} },
        }),
      ];
    }
    const bucket = entries.find(({ manager }) => manager === 'ancient-changes');
    expect(Object.keys(bucket?.fieldsV1 ?? {})).to.deep.equal([
      'f:v1-0',
      'f:v1-1',
      'f:v1-2',
      'f:v1-3',
      'f:v1-4',
      'f:v1-5',
    ]);
  });
});
