import { expect } from 'chai';
import { logBounds } from '../../../../src/app/node-agent/log-bounds.ts';
import { agentConfig } from '../../nodeagent/agent-config.ts';

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
