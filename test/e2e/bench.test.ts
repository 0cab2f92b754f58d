import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { CommandFigures } from '../../bench/ctl/report.ts';
import type { BenchFigures } from '../../bench/report.ts';
import type { WorkloadFigures } from '../../bench/workloads/measure.ts';

const measure = async (program: string): Promise<unknown> => {
  const path = fileURLToPath(new URL(`../../bench/${program}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, '--quick', '-o', 'json']);
  return JSON.parse(stdout);
};

describe('the benchmark', () => {
  it('runs every phase without a failure', async function () {
    this.timeout(240_000);
    const { phases, readyMs, idleMegabytes } = (await measure('run.ts')) as BenchFigures; // what `-o json` prints
    expect(phases.length).to.be.above(5);
    for (const { name, operations, failures, p50Ms, p99Ms } of phases) {
      expect(failures, name).to.deep.equal([]);
      expect(operations, name).to.be.above(0);
      expect(p99Ms, name).to.be.at.least(p50Ms);
    }
    expect(Math.min(...readyMs, idleMegabytes ?? 0)).to.be.above(0);
  });

  it('runs commands of the client', async function () {
    this.timeout(60_000);
    const figures = (await measure('ctl/run.ts')) as CommandFigures[]; // what `-o json` prints
    expect(figures).to.have.length(10);
    for (const { command, own } of figures)
      expect(Math.min(own.wallMs, own.cpuMs), command).to.be.at.least(10);
  });

  it('runs a deployment, and writes the same without controllers', async function () {
    this.timeout(240_000);
    const { pods, whole, without } = (await measure('workloads/run.ts')) as WorkloadFigures; // what `-o json` prints
    expect(whole.writes).to.be.at.least(3 * pods);
    expect(without.writes).to.equal(whole.writes);
    for (const { readySeconds, readyCpuSeconds, megabytesAfter } of [whole, without]) {
      expect(Math.min(readySeconds, readyCpuSeconds, megabytesAfter)).to.be.above(0);
    }
  });
});
