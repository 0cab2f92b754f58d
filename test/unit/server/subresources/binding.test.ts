import { expect } from 'chai';
import { createSubresourceHandlers } from '../../../../src/server/subresources/index.ts';
import { type ApiBench, openApiBench } from '../api-bench.ts';

const pods = '/api/v1/namespaces/n/pods';
const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'nginx:1.19' }] },
};
const binding = (fields: object = {}) => ({
  kind: 'Binding',
  apiVersion: 'v1',
  metadata: { name: 'p' },
  target: { kind: 'Node', name: 'node-1' },
  ...fields,
});

describe('handlePodBinding', () => {
  let bench: ApiBench;
  beforeEach(async () => {
    bench = await openApiBench(({ stores }) => ({ subresources: createSubresourceHandlers({ stores }) }));
    const { code, text } = await bench.send('POST', pods, { body: pod });
    expect(code, text).to.equal(201);
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it('assigns the pod to the node', async () => {
    const { code, body } = await bench.send('POST', `${pods}/p/binding`, { body: binding() });
    expect(code).to.equal(201);
    const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
    expect(body).to.deep.equal(success);
    const bound = (await bench.send('GET', `${pods}/p`)).body;
    expect(bound.spec.nodeName).to.equal('node-1');
    const [condition] = bound.status.conditions;
    expect(condition).to.include({ type: 'PodScheduled', status: 'True' });
  });

  it('changes nothing on a dry run', async () => {
    await bench.send('POST', `${pods}/p/binding?dryRun=All`, { body: binding() });
    expect((await bench.send('GET', `${pods}/p`)).body.spec).not.to.have.property('nodeName');
  });

  it('lets one of many bindings win', async () => {
    const nodes = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      nodes.map((name) => bench.send('POST', `${pods}/p/binding`, { body: binding({ target: { name } }) })),
    );
    expect(answers.map(({ code }) => code).sort()).to.deep.equal([201, 409, 409, 409]);
    const refusal = answers.find(({ code }) => code === 409);
    expect(refusal?.body.message).to.match(
      /^Operation cannot be fulfilled on pods\/binding "p": pod p is already assigned to node "[a-d]"$/,
    );
  });

  const refused: readonly (readonly [string, string, object, number, string])[] = [
    [
      'another name',
      'p',
      { metadata: { name: 'q' } },
      400,
      'name in URL does not match name in Binding object',
    ],
    ['no target', 'p', { target: {} }, 500, 'target.name: Required value'],
    [
      'another kind of target',
      'p',
      { target: { kind: 'Minion', name: 'x' } },
      500,
      'target.kind: Unsupported value: "Minion": supported values: "Node", "<empty>"',
    ],
    ['a missing pod', 'q', { metadata: { name: 'q' } }, 404, 'pods "q" not found'],
  ];
  for (const [title, name, fields, code, message] of refused) {
    it(`refuses ${title}`, async () => {
      const answer = await bench.send('POST', `${pods}/${name}/binding`, { body: binding(fields) });
      expect([answer.code, answer.body.message]).to.deep.equal([code, message]);
    });
  }
});
