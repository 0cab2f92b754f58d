import { expect } from 'chai';
import { createDialect, type Dialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  configz,
  formatProblem,
  printConfig,
  selfSignedPaths,
} from '../../../../src/nodeagent/options/index.ts';
import { load, start } from './start.ts';

const other = createDialect('kubernetes');
const flagsOf = (dialect: Dialect) => [
  `--dialect=${dialect.name}`,
  `--${dialect.spell('orch-api-qps')}=3`,
  `--${dialect.spell('orch-reserved-cgroup')}=/own`,
  `--enforce-node-allocatable=pods,${dialect.spell('orch-reserved')}`,
  `--feature-gates=${dialect.spell('DynamicNodeAgentConfig')}=false`,
  '--cert-dir=/var/lib/nodeagent/pki',
];

describe('the configuration in the other dialect', () => {
  for (const dialect of [orchDialect, other]) {
    it(`is shown by /configz as ${dialect.name} spells it, down to the files that the agent makes`, () => {
      const shown = configz(load(flagsOf(dialect)).config, dialect);
      expect(shown).to.include({
        [dialect.spell('orchAPIQPS')]: 3,
        [dialect.spell('orchAPIBurst')]: 10,
        [dialect.spell('orchReservedCgroup')]: '/own',
        // The folder is the user's, the name of the file the product's.
        tlsCertFile: `/var/lib/nodeagent/pki/${dialect.spell('nodeagent')}.crt`,
        tlsPrivateKeyFile: `/var/lib/nodeagent/pki/${dialect.spell('nodeagent')}.key`,
      });
      expect(shown.featureGates).to.deep.equal({ [dialect.spell('DynamicNodeAgentConfig')]: false });
      expect(shown.enforceNodeAllocatable).to.deep.equal(['pods', dialect.spell('orch-reserved')]);
    });
  }

  it('has no name of the first dialect in /configz but in values that users give', () => {
    const shown = configz(load(flagsOf(other)).config, other);
    expect(Object.keys(shown).filter((name) => /orch|nodeagent/i.test(name))).to.deep.equal([]);
  });

  it('takes the flags of the metrics agent that unit files still have, with a notice for each', () => {
    const given = [
      '--docker-only',
      '--storage_driver_user=x',
      '--containerd=/run/x.sock',
      '--docker-tls-ca=c',
    ];
    const { notices } = load(['--dialect=kubernetes', ...given]);
    expect(notices).to.have.members(
      ['docker-only', 'storage-driver-user', 'containerd', 'docker-tls-ca'].map(
        (flag) =>
          `Flag --${flag} has been deprecated, This is a cadvisor flag that was mistakenly registered with the Kubelet. Due to legacy concerns, it will follow the standard CLI deprecation timeline before being removed.`,
      ),
    );
  });

  it('is read with the words of closed lists in either place', () => {
    const { config } = load(flagsOf(other));
    expect(config.enforceNodeAllocatable).to.deep.equal(['pods', 'orch-reserved']);
    const level = other.spell('orch-reserved');
    const [problem] = start(['--dialect=kubernetes', `--enforce-node-allocatable=${level}x`]).problems;
    expect(problem && formatProblem(problem))
      .to.include(`"${level}x"`)
      .and.include(`one of none, pods, system-reserved, ${level}`)
      .and.not.match(/orch/);
  });

  it('is printed with fields and words as the dialect has them', () => {
    const text = printConfig(load([...flagsOf(other), `--container-runtime=${other.spell('legacyrt')}`]));
    expect(text).to.include(`enforceNodeAllocatable: ["pods","${other.spell('orch-reserved')}"]`);
    expect(text).to.include(`# --container-runtime=${other.spell('"legacyrt"')} `);
  });
});

describe('labels of the own node', () => {
  const refusal = (key: string) =>
    start(['--dialect=kubernetes', `--node-labels=${key}=y`])
      .problems.map(formatProblem)
      .join('\n');

  for (const label of ['node.orch.io/x', 'a.nodeagent.orch.io/x', 'orch.io/arch']) {
    it(`may be ${other.spell(label)}`, () => {
      expect(refusal(other.spell(label))).to.equal('');
    });
  }

  for (const key of [other.spell('orch.io/x'), `${other.group('node')}/x`]) {
    it(`may not be ${key}`, () => {
      expect(refusal(key)).to.include(`labels specified with --node-labels: [${key}]`);
    });
  }
});

describe('selfSignedPaths', () => {
  it('names the files as the dialect does, below the folder that is given', () => {
    expect(selfSignedPaths('/orch/', other)).to.deep.equal({
      certFile: `/orch/${other.spell('nodeagent')}.crt`,
      keyFile: `/orch/${other.spell('nodeagent')}.key`,
    });
  });
});
