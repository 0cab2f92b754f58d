import { expect } from 'chai';
import type { RuntimeClass } from '../../../../src/apis/types/node-v1.ts';
import { createRuntimeClasses } from '../../../../src/nodeagent/objects/runtime-classes.ts';
import { type FakeAnswer, fakeRestClient, refusal } from '../fake-rest.ts';

const path = '/apis/node.orch.io/v1/runtimeclasses/gvisor';
const found: FakeAnswer = {
  status: 200,
  body: {
    apiVersion: 'node.orch.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'gvisor' },
    handler: 'runsc',
  },
};

/** Asks once for each answer; what it was told, or the text of the failure. */
async function ask(...answers: readonly FakeAnswer[]): Promise<readonly (string | undefined)[]> {
  const left = [...answers];
  const client = fakeRestClient((request) => {
    expect(request.path).to.equal(path);
    return left.shift() ?? new Error('asked too often');
  });
  const signal = new AbortController().signal;
  const classes = createRuntimeClasses({ client, group: 'node.orch.io', signal });
  const told: (string | undefined)[] = [];
  for (const _ of answers) {
    const seen = await classes.runtimeClass('gvisor').catch((error: Error) => error.message);
    told.push(typeof seen === 'string' ? seen : (seen as RuntimeClass | undefined)?.handler);
  }
  return told;
}

describe('createRuntimeClasses', () => {
  it('tells a class as it is, and none that is not there', async () => {
    expect(await ask(found, refusal(404, 'NotFound'))).to.deep.equal(['runsc', undefined]);
  });

  it('tells what it saw last while the server does not answer', async () => {
    const away = new Error('connection refused');
    expect(await ask(found, away, refusal(503, 'ServiceUnavailable'))).to.deep.equal([
      'runsc',
      'runsc',
      'runsc',
    ]);
  });

  it('fails when the class was never seen, is gone, or may not be read', async () => {
    const away = new Error('connection refused');
    const [first] = await ask(away);
    expect(first).to.contain('connection refused');
    const [, , third] = await ask(found, refusal(404, 'NotFound'), away);
    expect(third).to.contain('connection refused');
    expect((await ask(found, refusal(403, 'Forbidden')))[1]).to.equal('Forbidden');
  });
});
