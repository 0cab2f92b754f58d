import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { type ConditionInputs, nodeConditions } from '../../../../src/nodeagent/node/conditions.ts';
import { otherDialect } from '../agent-config.ts';

describe('nodeConditions', () => {
  const none = { memory: false, disk: false, pid: false };
  const look = (differs: Partial<ConditionInputs> = {}) =>
    nodeConditions({
      shown: [],
      pressure: none,
      problems: [],
      hasAppArmor: false,
      nowMs: 0,
      dialect: orchDialect,
      ...differs,
    });
  const short = ({ conditions }: ReturnType<typeof look>) =>
    conditions.map(({ type, status, reason, message }) => [type, status, reason, message]);

  it('says that all is well', () => {
    expect(short(look())).to.deep.equal([
      [
        'MemoryPressure',
        'False',
        'NodeAgentHasSufficientMemory',
        'nodeagent has sufficient memory available',
      ],
      ['DiskPressure', 'False', 'NodeAgentHasNoDiskPressure', 'nodeagent has no disk pressure'],
      ['PIDPressure', 'False', 'NodeAgentHasSufficientPID', 'nodeagent has sufficient PID available'],
      ['Ready', 'True', 'NodeAgentReady', 'nodeagent is posting ready status'],
    ]);
  });

  it('says what the node lacks', () => {
    const pressure = { memory: true, disk: true, pid: true };
    expect(short(look({ pressure, problems: ['down'] }))).to.deep.equal([
      [
        'MemoryPressure',
        'True',
        'NodeAgentHasInsufficientMemory',
        'nodeagent has insufficient memory available',
      ],
      ['DiskPressure', 'True', 'NodeAgentHasDiskPressure', 'nodeagent has disk pressure'],
      ['PIDPressure', 'True', 'NodeAgentHasInsufficientPID', 'nodeagent has insufficient PID available'],
      ['Ready', 'False', 'NodeAgentNotReady', 'down'],
    ]);
  });

  it('joins several problems, each once', () => {
    const { conditions } = look({ problems: ['a', 'b', 'a'] });
    expect(conditions[3]?.message).to.equal('[a, b]');
  });

  it('names the profiles of the kernel, and the agent as the dialect does', () => {
    const { conditions } = look({ hasAppArmor: true, dialect: otherDialect });
    expect(conditions[3]?.message).to.equal(
      `${otherDialect.spell('nodeagent')} is posting ready status. AppArmor enabled`,
    );
    expect(conditions[0]?.reason).to.equal(otherDialect.spell('NodeAgentHasSufficientMemory'));
  });

  it('tells of first conditions but of being ready', () => {
    expect(look().changes).to.deep.equal([
      'NodeHasSufficientMemory',
      'NodeHasNoDiskPressure',
      'NodeHasSufficientPID',
    ]);
  });

  it('tells of changes, and keeps the times of what stays', () => {
    const shown = look({ problems: ['down'] }).conditions;
    const { conditions, changes } = look({ shown, pressure: { ...none, disk: true }, nowMs: 60_000 });
    expect(changes).to.deep.equal(['NodeHasDiskPressure', 'NodeReady']);
    expect(conditions.map(({ lastTransitionTime }) => lastTransitionTime)).to.deep.equal([
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:01:00Z',
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:01:00Z',
    ]);
    expect(new Set(conditions.map((one) => one.lastHeartbeatTime))).to.deep.equal(
      new Set(['1970-01-01T00:01:00Z']),
    );
  });

  it('takes over from whoever thought the node lost', () => {
    const shown = look().conditions.map((one) => ({ ...one, status: 'Unknown' }));
    expect(look({ shown }).changes).to.include('NodeReady');
  });
});
