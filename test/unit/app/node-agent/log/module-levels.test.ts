import { expect } from 'chai';
import fc from 'fast-check';
import { parseModuleLevels } from '../../../../../src/app/node-agent/log/module-levels.ts';

const path = 'src/nodeagent/lifecycle/pod-worker';

describe('parseModuleLevels', () => {
  const cases: readonly (readonly [text: string, level: number])[] = [
    ['', 0],
    ['pod-worker=4', 4],
    ['pod=4', 0],
    ['worker=4', 0],
    ['pod-*=4', 4],
    ['*=2', 2],
    ['***worker=2', 2],
    ['pod?worker=4', 4],
    ['pod-[v-x]orker=4', 4],
    ['pod-[^w]orker=4', 0],
    ['[o-q]od-worker=4', 4],
    ['pod\\-worker=4', 4],
    ['pod.worker=4', 0],
    ['pod-worke[r=4', 0],
    ['pod-worker\\=4', 0],
    ['pod-[z-a]=4', 0],
    ['lifecycle/pod-worker=4', 4],
    ['lifecycle/*=4', 4],
    ['l*/p*=4', 4],
    ['*lifecycle*=4', 0],
    ['src/*/lifecycle/*=4', 4],
    ['*/src/*/lifecycle/*=4', 0],
    ['other/*=4,pod-worker=1,*=5', 1],
    ['pod-worker=0,*=5', 5],
    [',,pod-worker=+7,', 7],
  ];
  for (const [text, level] of cases) {
    it(`gives level ${level} by ${text}`, () => {
      expect(parseModuleLevels(text).levelOf(path)).to.equal(level);
    });
  }

  it('knows the highest level', () => {
    expect(parseModuleLevels('a=2,b=7,c=3').highest).to.equal(7);
    expect(parseModuleLevels('a=0').highest).to.equal(0);
  });

  it('matches each name with itself, and with any of its characters left open', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab-.$^(){}|+é'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(name, fc.nat(11), (text, at) => {
        const open = `${text.slice(0, at % text.length)}?${text.slice((at % text.length) + 1)}`;
        for (const pattern of [text, open, `${text.slice(0, at)}*`]) {
          expect(parseModuleLevels(`${pattern}=3`).levelOf(`src/${text}`), pattern).to.equal(3);
        }
        expect(parseModuleLevels(`${text}=3`).levelOf(`src/${text}x`)).to.equal(0);
      }),
    );
  });
});
