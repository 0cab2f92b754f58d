import { expect } from 'chai';
import { describe, it } from 'mocha';
import { median, renderAgentReport } from '../../../bench/agent/agent-report.ts';

describe('median', () => {
  it('is the middle value, or lies between the two in the middle', () => {
    expect(median([3, 1, 2])).to.equal(2);
    expect(median([4, 1, 3, 2])).to.equal(2.5);
    expect(median([7])).to.equal(7);
    expect(median([])).to.be.NaN;
  });
});

describe('renderAgentReport', () => {
  it('sets what was measured beside the goals', () => {
    const usage = { residentMegabytes: 80.4, proportionalMegabytes: 60, cpuPercent: 0.456 };
    const idle = [
      { pods: 1, ...usage },
      { pods: 30, ...usage, residentMegabytes: 86.2 },
    ];
    const latencies = { healthyMs: [500, 700, 600], podStartMs: [900, 1000], endMs: 5432, outageMs: 1234 };
    expect(
      renderAgentReport({ ...latencies, idle }),
    ).to.equal(`                                         measured     goal
start of the agent to healthy              600 ms
manifest to answer, median of 2            950 ms  1150 ms
manifest to answer, slowest               1000 ms
resident memory, 1 pod                      80 MB    90 MB
  shared pages in parts                     60 MB
idle, 1 pod                      0.46 % of a core    0.7 %
resident memory, 30 pods                    86 MB
  shared pages in parts                     60 MB
idle, 30 pods                    0.46 % of a core
resident memory, a further pod            0.20 MB  0.25 MB
end of 30 pods at once                      5.4 s
node ready after an outage                  1.2 s      8 s
`);
  });
});
