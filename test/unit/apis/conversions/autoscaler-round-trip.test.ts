import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createKindFamilies, createObjectConverter } from '../../../../src/apis/conversions/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { autoscaler } from './arbitrary-autoscaler.ts';
import { conversionOf } from './fixture.ts';

const stored = 'autoscaling/v1.HorizontalPodAutoscaler';
const v2beta1 = conversionOf('autoscaling/v2beta1.HorizontalPodAutoscaler', stored);
const v2beta2 = conversionOf('autoscaling/v2beta2.HorizontalPodAutoscaler', stored);

describe('conversion of autoscalers', () => {
  it('loses nothing of valid objects on the way into storage and out of it', () => {
    fc.assert(
      fc.property(autoscaler, (object) => {
        expect(v2beta2.toServed(v2beta2.toStored(object))).to.deep.equal(v2beta2.decode(object));
      }),
    );
  });

  it('loses nothing when a client of the version between reads and writes them back', () => {
    fc.assert(
      fc.property(autoscaler, (object) => {
        const kept = v2beta2.toStored(object);
        expect(v2beta1.toStored(v2beta1.toServed(kept))).to.deep.equal(kept);
      }),
    );
  });

  it('loses nothing from any version to any other and back', () => {
    const catalog = createTypeCatalog(orchDialect);
    const convert = createObjectConverter(orchDialect, catalog);
    const newest = 'autoscaling/v2beta2';
    const family = createKindFamilies(orchDialect, catalog).find({
      group: 'autoscaling',
      version: 'v1',
      kind: 'HorizontalPodAutoscaler',
    });
    if (family === undefined) throw new RangeError('no autoscalers');
    fc.assert(
      fc.property(autoscaler, (object) => {
        for (const from of family.versions) {
          const first = convert(v2beta2.decode(object), { family, from: newest, to: from });
          for (const to of family.versions) {
            const other = convert(first, { family, from, to });
            expect(convert(other, { family, from: to, to: from }), `${from} to ${to}`).to.deep.equal(first);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
