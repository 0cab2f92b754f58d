import { expect } from 'chai';
import type { NodeCondition } from '../../../../src/apis/types/core-v1.ts';
import {
  afterWrite,
  decideHealth,
  type NodeHealth,
} from '../../../../src/controllers/node-lifecycle/health.ts';
import { formatTime } from '../../../../src/machinery/values/index.ts';

const beginMs = Date.UTC(2026, 0, 1);
const settings = { monitorGraceMs: 40_000, startupGraceMs: 60_000, agent: 'Nodeagent' };

/** A node that was made at the beginning, with conditions as `TYPE=STATUS`, and when its agent last reported. */
function nodeOf(reported: string[], { heartbeat = 0, transition = 0 } = {}) {
  const conditions: NodeCondition[] = reported.map((text) => {
    const [type = '', status = ''] = text.split('=');
    return {
      ...{ type, status, reason: 'Said', message: 'by the agent' },
      lastHeartbeatTime: formatTime(beginMs + heartbeat * 1000),
      lastTransitionTime: formatTime(beginMs + transition * 1000),
    };
  });
  return { metadata: { name: 'n', creationTimestamp: formatTime(beginMs) }, status: { conditions } };
}

interface Round {
  readonly second: number;
  readonly node: ReturnType<typeof nodeOf>;
  readonly renewTime?: string;
}

/** What the last of several looks at a node finds. */
function look(rounds: Round[]) {
  let before: NodeHealth | undefined;
  let decision: ReturnType<typeof decideHealth> | undefined;
  for (const { second, node, renewTime } of rounds) {
    const nowMs = beginMs + second * 1000;
    decision = decideHealth({ node, renewTime, before, nowMs }, settings);
    before = decision.conditions === undefined ? decision.health : afterWrite(decision, nowMs);
  }
  if (decision === undefined || before === undefined) throw new Error('nobody looked');
  return {
    ...decision,
    health: before,
    seen: (before.seenMs - beginMs) / 1000,
    changed: (before.changedMs - beginMs) / 1000,
  };
}

const ready = nodeOf(['Ready=True', 'MemoryPressure=False', 'NetworkUnavailable=False']);

describe('the health of a node', () => {
  it('is good while the agent reports', () => {
    const found = look([
      { second: 10, node: ready },
      { second: 49, node: nodeOf(['Ready=True'], { heartbeat: 45 }) },
      { second: 89, node: nodeOf(['Ready=True'], { heartbeat: 45 }) },
    ]);
    expect([found.current, found.conditions, found.seen]).to.deep.equal(['True', undefined, 49]);
  });

  it('is good while the lease is renewed', () => {
    const found = look([
      { second: 10, node: ready, renewTime: 'a' },
      { second: 49, node: ready, renewTime: 'b' },
      { second: 89, node: ready, renewTime: 'b' },
    ]);
    expect([found.current, found.conditions, found.seen]).to.deep.equal(['True', undefined, 49]);
  });

  it('is not judged before it was looked at for as long as it may be silent', () => {
    expect(look([{ second: 10_000, node: ready }]).conditions).to.equal(undefined);
  });

  it('is unknown after the grace period, but for the network', () => {
    const found = look([
      { second: 10, node: ready },
      { second: 51, node: ready },
    ]);
    expect([found.observed, found.current]).to.deep.equal(['True', 'Unknown']);
    const unknown = { status: 'Unknown', lastTransitionTime: formatTime(beginMs + 51_000) };
    const silent = { reason: 'NodeStatusUnknown', message: 'Nodeagent stopped posting node status.' };
    const heartbeat = formatTime(beginMs);
    expect(found.conditions).to.deep.equal([
      { type: 'Ready', ...silent, ...unknown, lastHeartbeatTime: heartbeat },
      { type: 'MemoryPressure', ...silent, ...unknown, lastHeartbeatTime: heartbeat },
      ready.status.conditions[2],
      ...['DiskPressure', 'PIDPressure'].map((type) => ({
        type,
        ...unknown,
        reason: 'NodeStatusNeverUpdated',
        message: 'Nodeagent never posted node status.',
        lastHeartbeatTime: heartbeat,
      })),
    ]);
    expect([found.seen, found.changed]).to.deep.equal([10, 51]);
  });

  it('is written once, also when the cache does not show it yet', () => {
    const rounds = [
      { second: 10, node: ready },
      { second: 51, node: ready },
    ];
    const { conditions = [] } = look(rounds);
    const written = { ...ready, status: { conditions } };
    const found = look([...rounds, { second: 56, node: written }]);
    expect([found.observed, found.current, found.conditions]).to.deep.equal([
      'Unknown',
      'Unknown',
      undefined,
    ]);
  });

  it('is good again when the agent reports', () => {
    const found = look([
      { second: 10, node: ready },
      { second: 51, node: ready },
      { second: 60, node: nodeOf(['Ready=True'], { heartbeat: 58, transition: 58 }) },
    ]);
    expect([found.observed, found.conditions, found.seen, found.changed]).to.deep.equal([
      'True',
      undefined,
      60,
      60,
    ]);
  });

  it('is open while a new node has not reported yet, and unknown after the grace period of its start', () => {
    const silent = nodeOf([]);
    expect(look([{ second: 60, node: silent }])).to.include({ observed: 'Unknown', current: undefined });
    const found = look([
      { second: 5, node: silent },
      { second: 61, node: silent },
    ]);
    expect(found.current).to.equal('Unknown');
    expect(found.conditions?.map(({ type, reason }) => `${type} ${reason}`)).to.deep.equal(
      ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map(
        (type) => `${type} NodeStatusNeverUpdated`,
      ),
    );
  });

  it('counts how long it is not ready from the change, not from later reports', () => {
    const found = look([
      { second: 10, node: ready },
      { second: 20, node: nodeOf(['Ready=False'], { heartbeat: 18, transition: 18 }) },
      { second: 30, node: nodeOf(['Ready=False'], { heartbeat: 28, transition: 18 }) },
    ]);
    expect([found.observed, found.seen, found.changed]).to.deep.equal(['False', 30, 20]);
  });
});
