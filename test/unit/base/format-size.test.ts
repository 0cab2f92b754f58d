import { expect } from 'chai';
import { countObjects, formatSize } from '../../../src/base/format-size.ts';

describe('formatSize', () => {
  it('takes the unit that fits', () => {
    expect([0, 1023, 1536, 1024 ** 2 * 2.25, 1024 ** 5 * 3].map(formatSize)).to.deep.equal([
      '0 B',
      '1023 B',
      '1.5 KiB',
      '2.3 MiB',
      '3072.0 TiB',
    ]);
    expect([countObjects(1), countObjects(2)]).to.deep.equal(['1 object', '2 objects']);
  });
});
