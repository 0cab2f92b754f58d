import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assert } from 'chai';
import { describe, it } from 'mocha';
import type { BenchFigures } from '../../bench/report.ts';

const program = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

describe('the benchmark', () => {
  it('runs every phase without a failure', async function () {
    this.timeout(90_000);
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--quick', '-o', 'json']);
    const { phases, readyMs, idleMegabytes } = JSON.parse(stdout) as BenchFigures; // what `-o json` prints
    assert.isAbove(phases.length, 5);
    for (const { name, operations, failures, p50Ms, p99Ms } of phases) {
      assert.deepEqual(failures, [], name);
      assert.isAbove(operations, 0, name);
      assert.isAtLeast(p99Ms, p50Ms, name);
    }
    assert.isAbove(Math.min(...readyMs, idleMegabytes ?? 0), 0);
  });
});
