import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { formatCpuSet, readCpuSet } from '../../../../src/nodeagent/cpu-manager/cpu-set.ts';
import type { CpuTopology } from '../../../../src/nodeagent/cpu-manager/cpu-topology.ts';
import { takeCpus } from '../../../../src/nodeagent/cpu-manager/take-cpus.ts';
import { dualSocket, machineOf, singleSocket } from './subject.ts';

const setOf = (text: string): ReadonlySet<number> => {
  const read = readCpuSet(text);
  if (read.problem !== undefined) throw new Error(read.problem);
  return read.cpus;
};
const take = (topology: CpuTopology, available: string, count: number): string | undefined => {
  const taken = takeCpus({ topology, available: setOf(available), count });
  return taken && formatCpuSet(taken);
};

describe('takeCpus', () => {
  const cases: [string, CpuTopology, string, number, string | undefined][] = [
    ['nothing', singleSocket, '0-7', 0, ''],
    ['the lowest thread', singleSocket, '0-7', 1, '0'],
    ['both threads of a core', singleSocket, '0-7', 2, '0,4'],
    ['whole cores, then a thread', singleSocket, '0-7', 3, '0-1,4'],
    ['the whole socket', singleSocket, '0-7', 8, '0-7'],
    ['a thread of a core of which one is gone', singleSocket, '1-7', 1, '4'],
    ['a whole core where there is one', singleSocket, '1,4-7', 2, '1,5'],
    ['threads of several cores where there is none', singleSocket, '1,4,6', 2, '1,4'],
    ['more than there are', singleSocket, '1-3', 4, undefined],
    ['processors that the machine has', singleSocket, '7-9', 2, undefined],
    ['a whole socket', dualSocket, '0-11', 6, '0-2,6-8'],
    ['a whole socket and a core of the other', dualSocket, '0-11', 8, '0-3,6-9'],
    ['the other socket when one is not whole', dualSocket, '1-11', 6, '3-5,9-11'],
    ['cores of the socket that is filled most', dualSocket, '1-11', 4, '1-2,7-8'],
    ['a thread near the cores', dualSocket, '1-11', 5, '1-2,6-8'],
    ['a thread of the socket that is filled most', dualSocket, '0-5,9-11', 1, '0'],
  ];
  for (const [what, topology, available, count, expected] of cases) {
    it(`takes ${what}`, () => expect(take(topology, available, count)).to.equal(expected));
  }

  const machine = fc.record({
    sockets: fc.integer({ min: 1, max: 4 }),
    coresPerSocket: fc.integer({ min: 1, max: 6 }),
    threadsPerCore: fc.integer({ min: 1, max: 2 }),
  });
  it('takes as many as it is asked for, of those that are free, and splits no core needlessly', () => {
    fc.assert(
      fc.property(machine, fc.infiniteStream(fc.boolean()), fc.nat(48), (shape, coins, count) => {
        const topology = machineOf(shape);
        const available = new Set([...topology.cpus].filter(() => coins.next().value === true));
        const taken = takeCpus({ topology, available, count });
        if (count > available.size) {
          expect(taken).to.equal(undefined);
          return;
        }
        expect(taken?.size).to.equal(count);
        expect(taken?.isSubsetOf(available)).to.equal(true);
        const rest = available.difference(taken ?? new Set());
        const cores = [...topology.cpus].filter((cpu) => topology.places.get(cpu)?.core === cpu);
        const isSplit = (core: number): boolean => {
          const threads = new Set(
            [...topology.cpus].filter((cpu) => topology.places.get(cpu)?.core === core),
          );
          const wasWhole = threads.isSubsetOf(available);
          return wasWhole && !threads.isSubsetOf(rest) && !threads.isDisjointFrom(rest);
        };
        expect(cores.filter(isSplit).length).to.be.at.most(1);
      }),
      { numRuns: 200 },
    );
  });
});

describe('formatCpuSet', () => {
  for (const text of ['', '0', '0-1', '0,2', '0-2,4,6-7', '10,12-130']) {
    it(`writes "${text}" as it is read`, () => expect(formatCpuSet(setOf(text))).to.equal(text));
  }
  it('sorts', () => expect(formatCpuSet(new Set([11, 2, 10, 1]))).to.equal('1-2,10-11'));
});
