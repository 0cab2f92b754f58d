import { expect } from 'chai';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { pod, run, write } from './fixtures.ts';

const namespace = (name: string, phase = 'Active') => ({
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: { name },
  spec: {},
  status: { phase },
});
const objects = { '/namespaces': [namespace('default'), namespace('ending', 'Terminating')] };
const configMap = (metadata: object) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata });
const lifecycle = { plugins: ['NamespaceLifecycle'], objects };

describe('NamespaceLifecycle', () => {
  it('answers that the namespace is not found', async () => {
    const object = configMap({ name: 'a', namespace: 'none' });
    expect(await run(write({ resourceName: 'configmaps', object }), lifecycle)).to.deep.include({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "none" not found',
      details: { name: 'none', kind: 'namespaces' },
    });
  });

  it('refuses new objects while the namespace is being deleted', async () => {
    const object = configMap({ name: 'a', namespace: 'ending' });
    expect(await run(write({ resourceName: 'configmaps', object }), lifecycle)).to.deep.include({
      code: 403,
      reason: 'Forbidden',
      message:
        'configmaps "a" is forbidden: unable to create new content in namespace ending because it is being terminated',
      details: {
        name: 'a',
        kind: 'configmaps',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace ending is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
  });

  it('names an object without a name by what its name will start with', async () => {
    const object = configMap({ generateName: 'gen-', namespace: 'ending' });
    const refused = await run(write({ resourceName: 'configmaps', object }), lifecycle);
    expect(refused?.details?.name).to.equal('gen-');
  });

  it('lets updates, deletions and reviews in such a namespace pass', async () => {
    const object = configMap({ name: 'a', namespace: 'ending' });
    const writes = [
      write({ operation: 'UPDATE', resourceName: 'configmaps', object, oldObject: object }),
      write({ operation: 'DELETE', resourceName: 'configmaps', oldObject: object }),
      write({ resourceName: 'localsubjectaccessreviews.authorization.orch.io', object }),
      write({ operation: 'DELETE', resourceName: 'configmaps', oldObject: configMap({ namespace: 'none' }) }),
    ];
    for (const attributes of writes) expect(await run(attributes, lifecycle)).to.equal(undefined);
  });

  for (const [name, isKept] of [
    ['default', true],
    ['orch-system', true],
    ['orch-public', true],
    ['orch-node-lease', false],
    ['other', false],
  ] as const) {
    it(`${isKept ? 'keeps' : 'lets go'} the namespace ${name}`, async () => {
      const attributes = write({
        operation: 'DELETE',
        resourceName: 'namespaces',
        oldObject: namespace(name),
      });
      const refused = await run(attributes, lifecycle);
      const message = `namespaces "${name}" is forbidden: this namespace may not be deleted`;
      expect(refused?.message).to.equal(isKept ? message : undefined);
    });
  }

  it('spells system namespaces in the dialect', async () => {
    const dialect = createDialect('kubernetes');
    const oldObject = namespace(dialect.systemNamespace);
    const attributes = write({ operation: 'DELETE', resourceName: 'namespaces', oldObject });
    expect((await run(attributes, { ...lifecycle, dialect }))?.code).to.equal(403);
  });

  it('asks nothing about objects outside namespaces', async () => {
    const object = { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' } };
    expect(await run(write({ resourceName: 'nodes', object }), lifecycle)).to.equal(undefined);
  });
});

describe('NamespaceExists', () => {
  it('refuses deletions too in a namespace that is not there', async () => {
    const attributes = write({ operation: 'DELETE', oldObject: pod({}, { name: 'p', namespace: 'none' }) });
    expect((await run(attributes, { plugins: ['NamespaceExists'], objects }))?.code).to.equal(404);
    const there = write({ operation: 'DELETE', oldObject: pod() });
    expect(await run(there, { plugins: ['NamespaceExists'], objects })).to.equal(undefined);
  });
});

describe('NamespaceAutoProvision', () => {
  it('makes a missing namespace, but not for a dry run', async () => {
    const made: string[] = [];
    const options = { createNamespace: async (name: string) => void made.push(name) };
    const setup = { plugins: ['NamespaceAutoProvision'], objects, options };
    const object = pod({}, { name: 'p', namespace: 'fresh' });
    await run(write({ object, isDryRun: true }), setup);
    await run(write({ object: pod() }), setup);
    expect(made).to.deep.equal([]);
    await run(write({ object }), setup);
    expect(made).to.deep.equal(['fresh']);
  });
});

describe('AlwaysDeny', () => {
  it('refuses every write', async () => {
    const refused = await run(write({ operation: 'DELETE', oldObject: pod() }), { plugins: ['AlwaysDeny'] });
    expect(refused?.message).to.equal(
      'pods "p" is forbidden: admission control is denying all modifications',
    );
  });
});
