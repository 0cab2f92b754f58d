import { expect } from 'chai';
import { createSubresourceHandlers } from '../../../../src/server/subresources/index.ts';
import { type ApiBench, openApiBench } from '../api-bench.ts';

const pods = '/api/v1/namespaces/n/pods';
const budgets = '/apis/policy/v1beta1/namespaces/n/poddisruptionbudgets';
const contentType = 'application/merge-patch+json';
const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

describe('evictionHandler', () => {
  let bench: ApiBench;
  beforeEach(async () => {
    bench = await openApiBench(({ stores }) => ({ subresources: createSubresourceHandlers({ stores }) }));
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  async function createPod(name: string, phase = 'Running'): Promise<void> {
    const metadata = { name, labels: { a: 'b' } };
    const spec = { containers: [{ name: 'c', image: 'nginx:1.19' }] };
    const body = { kind: 'Pod', apiVersion: 'v1', metadata, spec };
    expect((await bench.send('POST', pods, { body })).code).to.equal(201);
    await bench.send('PATCH', `${pods}/${name}/status`, { body: { status: { phase } }, contentType });
  }

  async function createBudget(name: string, status: object): Promise<void> {
    const spec = { minAvailable: 1, selector: { matchLabels: { a: 'b' } } };
    const body = { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1beta1', metadata: { name }, spec };
    expect((await bench.send('POST', budgets, { body })).code).to.equal(201);
    await bench.send('PATCH', `${budgets}/${name}/status`, { body: { status }, contentType });
  }

  const evict = (name: string, options: object = {}, query = '') =>
    bench.send('POST', `${pods}/${name}/eviction${query}`, {
      body: { kind: 'Eviction', apiVersion: 'policy/v1beta1', metadata: { name }, ...options },
    });

  const allowing = {
    observedGeneration: 1,
    disruptionsAllowed: 1,
    currentHealthy: 2,
    desiredHealthy: 1,
    expectedPods: 2,
  };

  it('deletes a pod that no budget protects', async () => {
    await createPod('p');
    const { code, body } = await evict('p', { deleteOptions: { gracePeriodSeconds: 0 } });
    expect([code, body]).to.deep.equal([201, success]);
    expect((await bench.send('GET', `${pods}/p`)).code).to.equal(404);
  });

  it('takes the disruption from the budget', async () => {
    await createPod('p');
    await createBudget('b', allowing);
    expect((await evict('p', { deleteOptions: { gracePeriodSeconds: 0 } })).code).to.equal(201);
    const { status } = (await bench.send('GET', `${budgets}/b`)).body;
    expect(status.disruptionsAllowed).to.equal(0);
    expect(status.disruptedPods).to.deep.equal({ p: '2021-02-03T04:05:06Z' });
  });

  it('never lets more pods go than the budget allows, however many ask at once', async () => {
    const names = ['p', 'q', 'r'];
    for (const name of names) await createPod(name);
    await createBudget('b', allowing);
    const answers = await Promise.all(names.map((name) => evict(name)));
    expect(answers.map(({ code }) => code).sort()).to.deep.equal([201, 429, 429]);
  });

  it('looks at the options of the deletion after the pod and its budget', async () => {
    const wrong = { deleteOptions: { propagationPolicy: 'Foo' } };
    expect((await evict('none', wrong)).code).to.equal(404);
    await createPod('p');
    expect((await evict('p', wrong)).code).to.equal(422);
    await createBudget('b', { ...allowing, disruptionsAllowed: 0, currentHealthy: 1 });
    expect((await evict('p', wrong)).code).to.equal(429);
  });

  it('refuses with 429 what the budget does not allow', async () => {
    await createPod('p');
    await createBudget('b', { ...allowing, disruptionsAllowed: 0, currentHealthy: 1 });
    const { body } = await evict('p');
    expect(body).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      reason: 'TooManyRequests',
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget b needs 1 healthy pods and has 1 currently',
          },
        ],
      },
      code: 429,
    });
  });

  it('lets a finished pod go whatever its budget says', async () => {
    await createPod('p', 'Succeeded');
    await createBudget('b', {});
    expect((await evict('p')).body).to.deep.equal(success);
  });

  it('has no answer to a pod with two budgets', async () => {
    await createPod('p');
    await createBudget('b', allowing);
    await createBudget('c', allowing);
    const { code, body } = await evict('p');
    expect(code).to.equal(500);
    expect(body).to.include({ status: 'Failure', code: 500 });
  });

  it('forbids what a budget with a negative allowance would have to allow', async () => {
    await createPod('p');
    await createBudget('b', { ...allowing, disruptionsAllowed: -1 });
    const { code, body } = await evict('p');
    expect(code).to.equal(403);
    expect(body.message).to.equal(
      'poddisruptionbudget.policy "b" is forbidden: pdb disruptions allowed is negative',
    );
  });

  it('leaves pod and budget alone on a dry run, asked for in the body or in the query', async () => {
    await createPod('p');
    await createBudget('b', allowing);
    expect((await evict('p', { deleteOptions: { dryRun: ['All'] } })).body).to.deep.equal(success);
    expect((await evict('p', {}, '?dryRun=All')).body).to.deep.equal(success);
    expect((await bench.send('GET', `${pods}/p`)).body.metadata).not.to.have.property('deletionTimestamp');
    expect((await bench.send('GET', `${budgets}/b`)).body.status.disruptionsAllowed).to.equal(1);
  });

  it('honours preconditions', async () => {
    await createPod('p');
    const { code } = await evict('p', { deleteOptions: { preconditions: { uid: 'other' } } });
    expect(code).to.equal(409);
  });

  it('refuses another name, and names a pod that is not there', async () => {
    const body = { kind: 'Eviction', apiVersion: 'policy/v1beta1', metadata: { name: 'q' } };
    const other = await bench.send('POST', `${pods}/p/eviction`, { body });
    expect(other.body).to.include({
      code: 400,
      message: 'name in URL does not match name in Eviction object',
    });
    expect((await evict('p')).body).to.include({ code: 404, message: 'pods "p" not found' });
  });
});
