import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { BenchFigures } from '../../bench/report.ts';

const program = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

describe('the benchmark', () => {
  it('runs every phase without a failure', async function () {
    this.timeout(240_000);
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--quick', '-o', 'json']);
    const { phases, readyMs, idleMegabytes } = JSON.parse(stdout) as BenchFigures; // what `-o json` prints
    expect(phases.length).to.be.above(5);
    for (const { name, operations, failures, p50Ms, p99Ms } of phases) {
      expect(failures, name).to.deep.equal([]);
      expect(operations, name).to.be.above(0);
      expect(p99Ms, name).to.be.at.least(p50Ms);
    }
    expect(Math.min(...readyMs, idleMegabytes ?? 0)).to.be.above(0);
  });
});
