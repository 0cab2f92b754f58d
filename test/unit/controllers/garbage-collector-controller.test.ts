import { expect } from 'chai';
import { Gate } from '../../../src/controllers/garbage-collector/garbage-collector-controller.ts';

describe('Gate', () => {
  it('lets pass while it is open, and everybody once the signal aborts', async () => {
    const end = new AbortController();
    const gate = new Gate(end.signal);
    const passed: string[] = [];
    const pass = async (name: string) => {
      await gate.passage();
      passed.push(name);
    };
    const first = pass('first');
    gate.close();
    expect(passed).to.deep.equal([]);
    gate.open();
    await first;
    gate.close();
    const second = pass('second');
    expect(passed).to.deep.equal(['first']);
    end.abort();
    gate.close();
    await second;
    await pass('third');
    expect(passed).to.deep.equal(['first', 'second', 'third']);
  });
});
