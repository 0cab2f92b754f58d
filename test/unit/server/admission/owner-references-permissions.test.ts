import { expect } from 'chai';
import type { AdmissionAttributes } from '../../../../src/registry/index.ts';
import { ownerReferencesPermissions } from '../../../../src/server/admission/index.ts';
import { pod, run, write } from './fixtures.ts';

const name = 'OwnerReferencesPermissionEnforcement';
const owner = (more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'r',
  uid: '1',
  ...more,
});
const owned = (...ownerReferences: object[]) => pod({}, { name: 'p', namespace: 'default', ownerReferences });

describe('OwnerReferencesPermissionEnforcement', () => {
  /** What was asked, as `verb group/resource/subresource namespace/name`, and the refusal. */
  const check = async (parts: Partial<AdmissionAttributes>, granted: readonly string[]) => {
    const asked: string[] = [];
    const plugin = ownerReferencesPermissions({
      authorizer: {
        authorize({ request: { verb, group, resource, subresource, namespace, name: object } }) {
          const question = `${verb} ${group}/${resource}/${subresource} ${namespace}/${object}`;
          asked.push(question);
          return { isAllowed: granted.includes(question), reason: granted.length === 0 ? 'none' : '' };
        },
      },
      resourceOf({ group, kind }) {
        if (kind === 'ReplicaSet') return { group, resource: 'replicasets', namespaced: true };
        return kind === 'Node' ? { group, resource: 'nodes', namespaced: false } : undefined;
      },
    });
    const refused = await run(write(parts), { plugins: [name], options: { more: [plugin] } });
    return { asked, message: refused?.message };
  };
  const deletion = 'delete /pods/ default/p';
  const anything = 'update */*/finalizers /*';
  const finalizers = 'update apps/replicasets/finalizers default/r';
  const cannotDelete = 'pods "p" is forbidden: cannot set an ownerRef on a resource you can\'t delete: ';
  const cannotFinalize =
    'pods "p" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: ';

  it('asks nothing where no owner changes', async () => {
    for (const parts of [
      { object: owned() },
      { operation: 'UPDATE' as const, object: owned(owner()), oldObject: owned(owner()) },
      { operation: 'UPDATE' as const, subresource: 'status', object: owned(owner()), oldObject: owned() },
    ]) {
      expect(await check(parts, [])).to.deep.equal({ asked: [], message: undefined });
    }
  });

  it('asks whether whoever changes owners may delete the object', async () => {
    expect(await check({ object: owned(owner()) }, [])).to.deep.equal({
      asked: [deletion],
      message: `${cannotDelete}none, <nil>`,
    });
    expect((await check({ object: owned(owner()) }, [deletion])).message).to.equal(undefined);
    const taken = { operation: 'UPDATE' as const, object: owned(), oldObject: owned(owner()) };
    expect((await check(taken, ['x'])).message).to.equal(`${cannotDelete}, <nil>`);
  });

  it('asks in the group and version of the request', async () => {
    const asked: string[] = [];
    const plugin = ownerReferencesPermissions({
      authorizer: {
        authorize({ request: { group, version } }) {
          asked.push(`${group}/${version}`);
          return { isAllowed: true, reason: '' };
        },
      },
      resourceOf: () => undefined,
    });
    const kind = { group: 'extensions', version: 'v1beta1', kind: 'Ingress' };
    const requested = { kind, group: 'extensions', version: 'v1beta1', resource: 'ingresses' };
    // Of the forms it looks at nothing else.
    const forms = { requested } as unknown as AdmissionAttributes['forms'];
    await run(write({ object: owned(owner()), forms }), { plugins: [name], options: { more: [plugin] } });
    expect(asked).to.deep.equal(['extensions/v1beta1']);
  });

  it('asks for the finalizers of owners that shall wait', async () => {
    const waits = { object: owned(owner({ blockOwnerDeletion: true })) };
    expect(await check(waits, [deletion])).to.deep.equal({
      asked: [deletion, anything, finalizers],
      message: `${cannotFinalize}, <nil>`,
    });
    expect((await check(waits, [deletion, finalizers])).message).to.equal(undefined);
    expect(await check(waits, [deletion, anything])).to.deep.equal({
      asked: [deletion, anything],
      message: undefined,
    });
    const node = owned(owner({ apiVersion: 'v1', kind: 'Node', name: 'n', blockOwnerDeletion: true }));
    expect((await check({ object: node }, [deletion])).asked).to.include('update /nodes/finalizers /n');
  });

  it('does not ask again for owners that wait already', async () => {
    const waiting = owner({ blockOwnerDeletion: true });
    const parts = {
      operation: 'UPDATE' as const,
      object: owned(waiting, owner({ uid: '2' })),
      oldObject: owned(waiting),
    };
    expect((await check(parts, [deletion])).asked).to.deep.equal([deletion]);
  });

  it('refuses owners of kinds that are not served', async () => {
    const object = owned(owner({ apiVersion: 'example.com/v1', kind: 'Odd', blockOwnerDeletion: true }));
    expect((await check({ object }, [deletion])).message).to.equal(
      'pods "p" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.com/v1 Kind Odd: no matches for kind "Odd" in version "example.com/v1"',
    );
  });
});
