import { expect } from 'chai';
import { keptInstances, logBounds } from '../../../../src/app/node-agent/container-bounds.ts';
import { agentConfig } from '../../nodeagent/agent-config.ts';

const instances = (podUid: string, name: string, count: number, state: 'exited' | 'running' = 'exited') =>
  Array.from({ length: count }, (_, attempt) => ({
    state,
    metadata: { name, attempt },
    labels: { uid: podUid },
  }));

describe('keptInstances', () => {
  const two = [...instances('a', 'c', 4), ...instances('b', 'c', 2), ...instances('b', 'd', 9, 'running')];
  const cases: readonly (readonly [what: string, perContainer: number, inAll: number, kept: number])[] = [
    ['no bound of the node', 3, -1, 3],
    ['fewer than the node may have', 5, 6, 5],
    ['more: each has a share', 5, 5, 2],
    ['more, and less for each anyway', 1, 5, 1],
    ['far too many: each keeps one', 5, 1, 1],
    ['none at all: each keeps one', 5, 0, 1],
    ['a bound of the node only', -1, 4, 2],
  ];
  for (const [what, perContainer, inAll, kept] of cases) {
    it(`is ${kept}: ${what}`, () => {
      expect(keptInstances({ perContainer, inAll, containers: two, podUidLabel: 'uid' })).to.equal(kept);
    });
  }
});

const flags = ['--container-log-max-size=1Mi', '--container-log-max-files=3'];
const remote = [...flags, '--container-runtime=remote', '--container-runtime-endpoint=unix:///r.sock'];

describe('logBounds', () => {
  it('are those of the options where the runtime leaves it to the agent', () => {
    expect(logBounds(agentConfig(remote))).to.deep.equal({ maxBytes: 1024 * 1024, maxFiles: 3 });
    expect(logBounds(agentConfig([...flags, '--container-runtime=legacyrt']))).to.equal(undefined);
  });

  it('are none without the gate', () => {
    const off = '--feature-gates=CRIContainerLogRotation=false';
    expect(logBounds(agentConfig([...remote, off]))).to.equal(undefined);
  });
});
