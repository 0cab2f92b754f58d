import { expect } from 'chai';
import { openFile, start } from './start.ts';

/** Each option with the gate that it needs, on or off by default. */
const needs: readonly (readonly [gate: string, argv: readonly string[]])[] = [
  ['CustomCPUCFSQuotaPeriod', ['--cpu-cfs-quota-period=50ms']],
  ['DynamicNodeAgentConfig', ['--dynamic-config-dir=/d']],
  ['QOSReserved', ['--qos-reserved=memory=50%']],
  ['RotateNodeAgentServerCertificate', ['--rotate-server-certificates']],
  ['TopologyManager', ['--topology-manager-policy=restricted']],
];

describe('options that need a gate', () => {
  for (const [gate, argv] of needs) {
    it(`${argv} is taken with ${gate}, and refused without`, () => {
      expect(start([...argv, `--feature-gates=${gate}=true`]).problems).to.deep.equal([]);
      const [problem, ...others] = start([...argv, `--feature-gates=${gate}=false`]).problems;
      expect(others).to.deep.equal([]);
      expect(problem?.text).to.include(gate);
      expect(problem?.advice).to.equal(`--feature-gates=${gate}=true`);
    });
  }

  it('is taken with GracefulNodeShutdown, and refused without', () => {
    const withGate = (isOn: boolean) =>
      start(
        ['--config=agent.yaml', `--feature-gates=GracefulNodeShutdown=${isOn}`],
        `${openFile}shutdownGracePeriod: 30s\n`,
      ).problems;
    expect(withGate(true)).to.deep.equal([]);
    expect(
      withGate(false)
        .map(({ text }) => text)
        .join(),
    ).to.include('GracefulNodeShutdown');
  });
});
