import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type AgentFigures, idleGoals } from '../../bench/agent/agent-report.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const program = fileURLToPath(new URL('../../bench/agent/run.ts', import.meta.url));
/** What the project promises of the fastest of a few pods, whatever else the machine does. */
const slowestPodMs = 1500;
/** Machines count pages of the same program differently. */
const tolerance = 1.15;

describe('the benchmark of the agent', () => {
  requireContainerd();

  it('shows that pods start fast, and that the agent is small', async function () {
    this.timeout(120_000);
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--quick', '-o', 'json']);
    const { healthyMs, podStartMs, idle, endMs, outageMs } = JSON.parse(stdout) as AgentFigures; // what `-o json` prints
    expect(Math.min(...healthyMs)).to.be.above(0);
    expect(Math.min(...podStartMs)).to.be.below(slowestPodMs);
    expect(idle.map(({ pods }) => pods)).to.deep.equal([1, 3]);
    expect(idle[0]?.residentMegabytes ?? Number.NaN).to.be.below(
      (idleGoals[1]?.residentMegabytes ?? 0) * tolerance,
    );
    expect(endMs).to.be.above(0);
    expect(outageMs).to.be.above(0);
  });
});
