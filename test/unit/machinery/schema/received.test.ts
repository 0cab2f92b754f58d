import { expect } from 'chai';
import { keepReceived, receivedValue, wasGivenEmpty } from '../../../../src/machinery/schema/index.ts';
import { compileFields } from './support/types.ts';

const compiled = compileFields([
  { n: 'list', t: 'list<string>', omit: 1 },
  { n: 'map', t: 'map<string,string>', omit: 1 },
  { n: 'shown', t: 'list<string>' },
  { n: 'time', t: 'meta.orch.io/v1.Time', ptr: 1, omit: 1 },
]);

describe('receivedValue', () => {
  it('is what the canonical form leaves out: empty lists and maps', () => {
    const decoded = compiled.decode({ list: [], map: {}, shown: [] });
    expect(decoded).to.deep.equal({ shown: null });
    for (const field of ['list', 'map', 'shown']) expect(wasGivenEmpty(decoded, field), field).to.equal(true);
  });

  it('is nothing for what is absent, null, or said in full', () => {
    const decoded = compiled.decode({ list: ['a'], map: null, time: '2020-01-02T03:04:05Z' });
    for (const field of ['list', 'map', 'shown', 'time'])
      expect(receivedValue(decoded, field), field).to.equal(undefined);
  });

  it('has the fraction of a time', () => {
    const decoded = compiled.decode({ time: '2020-01-02T03:04:05.5Z' });
    expect(decoded.time).to.equal('2020-01-02T03:04:05Z');
    expect(receivedValue(decoded, 'time')).to.equal('2020-01-02T03:04:05.5Z');
    expect(wasGivenEmpty(decoded, 'time')).to.equal(false);
  });

  it('is known of copies only when they are told', () => {
    const decoded = compiled.decode({ list: [] });
    const copy = { ...decoded };
    expect(wasGivenEmpty(copy, 'list')).to.equal(false);
    keepReceived(decoded, copy);
    expect(wasGivenEmpty(copy, 'list')).to.equal(true);
  });
});
