import { expect } from 'chai';
import fc from 'fast-check';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { planShutdown } from '../../../../src/nodeagent/shutdown/index.ts';

const podOf = (name: string, graceSeconds: number | undefined, priority = 0): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers: [], priority, terminationGracePeriodSeconds: graceSeconds },
  status: {},
});
const isCritical = ({ spec }: Pod): boolean => (spec.priority ?? 0) >= 2_000_000_000;

describe('planShutdown', () => {
  const plan = (pods: readonly Pod[], periodMs: number, criticalPeriodMs: number) =>
    planShutdown(pods, { periodMs, criticalPeriodMs, isCritical }).map((phase) => [
      phase.periodMs,
      ...phase.pods.map(({ pod, graceMs }) => `${pod.metadata.name} ${graceMs}`),
    ]);

  it('ends critical pods last, each with its own grace where that is shorter than the period of its kind', () => {
    const pods = [
      podOf('system', 30, 2_000_000_000),
      podOf('patient', 3600),
      podOf('short', 3),
      podOf('silent', undefined),
      podOf('quick', 1, 2_000_001_000),
    ];
    expect(plan(pods, 30_000, 10_000)).to.deep.equal([
      [20_000, 'patient 20000', 'short 3000', 'silent 20000'],
      [10_000, 'system 10000', 'quick 1000'],
    ]);
  });

  it('leaves regular pods no time when critical ones have all of it', () => {
    expect(plan([podOf('a', 30), podOf('b', 30, 2_000_000_000)], 10_000, 10_000)).to.deep.equal([
      [0, 'a 0'],
      [10_000, 'b 10000'],
    ]);
  });

  it('counts graces in whole seconds', () => {
    expect(plan([podOf('a', 30)], 2500, 0)).to.deep.equal([[2500, 'a 2000'], [0]]);
  });

  it('ends every pod once, within the period of the options', () => {
    const pod = fc.tuple(fc.option(fc.nat(7200), { nil: undefined }), fc.boolean());
    fc.assert(
      fc.property(fc.array(pod), fc.nat(600_000), fc.nat(600_000), (shapes, a, b) => {
        const [criticalPeriodMs = 0, periodMs = 0] = [a, b].sort((one, other) => one - other);
        const pods = shapes.map(([grace, critical], index) => podOf(`p${index}`, grace, critical ? 2e9 : 0));
        const phases = planShutdown(pods, { periodMs, criticalPeriodMs, isCritical });
        const ended = phases.flatMap((phase) => phase.pods.map((each) => each.pod));
        expect(ended).to.have.members(pods).and.to.have.length(pods.length);
        expect(phases.reduce((sum, phase) => sum + phase.periodMs, 0)).to.equal(periodMs);
        for (const phase of phases) {
          for (const { graceMs } of phase.pods) expect(graceMs).to.be.within(0, phase.periodMs);
        }
      }),
    );
  });
});
