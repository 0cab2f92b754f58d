import { expect } from 'chai';
import type { Node } from '../../../../src/apis/types/core-v1.ts';
import { TransportError } from '../../../../src/client/rest/index.ts';
import { createNodeClient } from '../../../../src/nodeagent/node/node-client.ts';
import { registerNode } from '../../../../src/nodeagent/node/register-node.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { type FakeAnswer, fakeRestClient, refusal } from '../fake-rest.ts';

// Registration looks at no part of the node.
const node = { kind: 'Node', metadata: { name: 'n' } } as Node;
const away = new TransportError('refused', 'no', { host: 'h' });

describe('registerNode', () => {
  function start(answers: FakeAnswer[]) {
    const clock = new ManualClock();
    const logger = createRecordingLogger();
    const stop = new AbortController();
    const sent: string[] = [];
    const client = fakeRestClient(({ method, path }) => {
      sent.push(`${method} ${path}`);
      return answers.shift() ?? away;
    });
    const nodes = createNodeClient(client, 'n', stop.signal);
    const done = registerNode({ nodes, initial: () => node, clock, logger, signal: stop.signal });
    const pass = async (ms: number): Promise<void> => {
      while (clock.timerCount === 0) await new Promise(setImmediate);
      clock.advance(ms);
    };
    return { done, sent, stop, pass, logger };
  }
  const made: FakeAnswer = { status: 201, body: node };

  it('makes the node', async () => {
    const { done, sent } = start([made]);
    expect(await done).to.deep.equal({ node, hasExisted: false });
    expect(sent).to.deep.equal(['POST /api/v1/nodes']);
  });

  it('finds one that is there', async () => {
    const { done, sent } = start([refusal(409, 'AlreadyExists'), { status: 200, body: node }]);
    expect(await done).to.deep.equal({ node, hasExisted: true });
    expect(sent).to.deep.equal(['POST /api/v1/nodes', 'GET /api/v1/nodes/n']);
  });

  it('tries again with growing pauses, whatever stood in its way', async () => {
    const gone = [refusal(409, 'AlreadyExists'), refusal(404, 'NotFound')];
    const { done, sent, pass, logger } = start([away, refusal(403, 'Forbidden'), ...gone, made]);
    for (const ms of [100, 200, 400]) await pass(ms);
    expect((await done)?.hasExisted).to.equal(false);
    expect(sent).to.have.length(5);
    expect(logger.lines).to.have.length(2);
  });

  it('ends with its signal', async () => {
    const { done, stop, pass } = start([]);
    await pass(0);
    stop.abort();
    expect(await done).to.equal(undefined);
  });
});
