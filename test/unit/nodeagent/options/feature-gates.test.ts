import { expect } from 'chai';
import { featureGates } from '../../../../src/config/serve/index.ts';
import gateEffects from '../../../../src/nodeagent/options/gate-effects.json' with { type: 'json' };
import { formatProblem } from '../../../../src/nodeagent/options/index.ts';
import gates from './spec-feature-gates.json' with { type: 'json' };
import { load, openFile, start } from './start.ts';

function features(argv: readonly string[], file?: string): ReadonlyMap<string, boolean> {
  return new Map(Object.entries(load(argv, file).config.features));
}

describe('every feature gate of the agent', () => {
  const defaults = features([]);
  for (const [name, gate] of Object.entries(gates)) {
    it(`${name} (${gate.stage}) is ${gate.default ? 'on' : 'off'}, can be turned, and refuses other words`, () => {
      expect(defaults.get(name)).to.equal(gate.default);
      expect(featureGates.get(name)?.stage).to.equal(gate.stage);
      expect(features([`--feature-gates=${name}=${!gate.default}`]).get(name)).to.equal(!gate.default);
      expect(
        features(['--config=agent.yaml'], `${openFile}featureGates: {${name}: ${!gate.default}}\n`).get(name),
      ).to.equal(!gate.default);
      for (const text of [name, `${name}=maybe`]) {
        const [problem] = start([`--feature-gates=${text}`]).problems;
        expect(problem && formatProblem(problem))
          .to.match(/--feature-gates/)
          .and.include(name);
      }
      const { problems } = start(['--config=agent.yaml'], `${openFile}featureGates: {${name}: "true"}\n`);
      expect(problems.map(formatProblem).join('\n')).to.include(name);
    });
  }

  it('follow AllAlpha and AllBeta where they are not named', () => {
    const all = features(['--feature-gates=AllAlpha=true,AllBeta=false,IPv6DualStack=false,AppArmor=true']);
    for (const [name, { stage }] of Object.entries(gates)) {
      if (name === 'AllAlpha' || name === 'AllBeta') continue;
      const isNamed = name === 'IPv6DualStack' || name === 'AppArmor';
      expect(all.get(name), name).to.equal(isNamed ? name === 'AppArmor' : stage === 'ALPHA');
    }
  });

  it('cannot be turned when they are locked', () => {
    const locked = [...featureGates].filter(([, gate]) => gate.locked);
    expect(locked.length).to.be.greaterThan(5);
    for (const [name, gate] of locked) {
      const { problems } = start([`--feature-gates=${name}=${!gate.default}`]);
      expect(problems.map(({ text }) => text)).to.deep.equal([
        `cannot set feature gate ${name} to ${!gate.default}, feature is locked to ${gate.default}`,
      ]);
      expect(start([`--feature-gates=${name}=${gate.default}`]).problems).to.deep.equal([]);
    }
  });

  it('come with a hint when they are mistyped', () => {
    const { problems } = start(['--feature-gates=CPUManger=true']);
    expect(problems.map(formatProblem)).to.deep.equal([
      'unrecognized feature gate: CPUManger (--feature-gates: did you mean CPUManager?)',
    ]);
  });

  it('warn when the feature is decided already', () => {
    const { warnings } = load(['--feature-gates=SupportPodPidsLimit=true']);
    expect(warnings).to.deep.equal([
      'Setting GA feature gate SupportPodPidsLimit=true. It will be removed in a future release.',
    ]);
  });

  const warned: readonly (readonly [gates: string, warnings: readonly string[]])[] = [
    ['QOSReserved=true', []],
    ['APIListChunking=false', []],
    ['SetHostnameAsFQDN=true', []],
    [
      'ImmutableEphemeralVolumes=false',
      [
        'feature gate ImmutableEphemeralVolumes=false has no effect in nodeagent: objects that are marked immutable are not watched on, as with the gate on',
      ],
    ],
    [
      'CSIMigrationProvider1Complete=true',
      [
        'Unexpected CSI Migration Feature Flags combination detected: enabling "CSIMigrationProvider1Complete" requires "CSIMigrationProvider1" to be enabled. CSI Migration may not take effect',
      ],
    ],
    [
      'CSIMigration=false,CSIMigrationProvider1=true',
      [
        'Unexpected CSI Migration Feature Flags combination detected: enabling "CSIMigrationProvider1" requires CSIMigration to be enabled. CSI Migration may not take effect',
      ],
    ],
  ];
  for (const [gates, warnings] of warned) {
    it(`with ${gates} ${warnings.length === 0 ? 'need no warning' : 'come with a warning'}`, () =>
      expect(load([`--feature-gates=${gates}`]).warnings).to.deep.equal(warnings));
  }

  it('whose effect is none say how the agent behaves, or whose they are', () => {
    for (const [name, told] of Object.entries(gateEffects)) {
      if (!('noEffect' in told)) continue;
      expect('actsAs' in told, name).to.equal(!/^a gate of /.test(told.noEffect));
    }
  });
});
