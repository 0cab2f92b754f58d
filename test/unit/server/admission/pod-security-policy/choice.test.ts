import { expect } from 'chai';
import type { ApiObject } from '../../../../../src/machinery/meta/index.ts';
import { pod, specOf } from '../fixtures.ts';
import { admitWith, policy } from './fixtures.ts';

const audit = 'podsecuritypolicy.policy.admission.orch.io';
const readOnly = { readOnlyRootFilesystem: true };
const users = (min: number) => ({ runAsUser: { rule: 'MustRunAs', ranges: [{ min, max: min }] } });
const admittedBy = (object: ApiObject) => object.metadata.annotations?.['orch.io/psp'];
const privileged = (more: object = {}) =>
  pod({
    containers: [{ name: 'c', image: 'i', resources: {}, securityContext: { privileged: true } }],
    ...more,
  });

describe('the choice of a pod security policy', () => {
  it('falls on the first by name of those that change nothing', async () => {
    const object = pod();
    const policies = [policy('a', readOnly), policy('b'), policy('c')];
    const { message, audited } = await admitWith({ policies }, { object });
    expect(message).to.equal(undefined);
    expect(admittedBy(object)).to.equal('b');
    expect(specOf(object)).to.deep.equal(specOf(pod()));
    expect(audited).to.deep.equal({ [`${audit}/admit-policy`]: 'b', [`${audit}/validate-policy`]: 'b' });
  });

  it('falls on the first that changes the pod when all do, and nothing of others stays', async () => {
    const object = pod();
    await admitWith(
      { policies: [policy('a', { ...users(5), volumes: ['x'] }), policy('b', readOnly)] },
      { object },
    );
    expect(admittedBy(object)).to.equal('a');
    expect(specOf(object)).to.deep.equal({
      containers: [{ name: 'c', image: 'i', resources: {}, securityContext: { runAsUser: 5 } }],
    });
  });

  it('is among those that the user or the service account may use, in either group', async () => {
    const policies = [policy('a'), policy('b')];
    const account = 'system:serviceaccount:default:sa';
    for (const grant of ['u policy/b', 'u extensions/b', `${account} policy/b`, `${account} extensions/b`]) {
      const object = pod({ serviceAccountName: 'sa' });
      await admitWith({ policies, grants: [`${grant}@default`] }, { object });
      expect(admittedBy(object)).to.equal('b');
    }
    const { asked } = await admitWith(
      { policies, grants: [] },
      { object: pod({ serviceAccountName: 'sa' }) },
    );
    expect(asked.slice(0, 4)).to.deep.equal(
      [`${account} policy`, `${account} extensions`, 'u policy', 'u extensions'].map(
        (who) => `${who}/a@default`,
      ),
    );
  });

  it('tells the errors of policies that may be used only', async () => {
    const policies = [policy('a'), policy('b', { volumes: ['*'] })];
    const grants = ['u policy/b@default'];
    const { message } = await admitWith({ policies, grants }, { object: privileged({ hostPID: true }) });
    expect(message).to.equal(
      'PodSecurityPolicy: unable to admit pod: [spec.securityContext.hostPID: Invalid value: true: Host PID is not allowed to be used spec.containers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed]',
    );
    const refused = await admitWith({ policies, grants: [] }, { object: pod() });
    expect(refused.message).to.equal('PodSecurityPolicy: unable to admit pod: []');
  });

  it('needs a policy that can be followed', async () => {
    const message = 'PodSecurityPolicy: no providers available to validate pod request';
    for (const policies of [
      [],
      [policy('a', { runAsUser: { rule: 'MustRunAs' } })],
      [policy('a', { seLinux: { rule: 'MustRunAs' } })],
      [
        policy('a', { fsGroup: { rule: 'MayRunAs', ranges: [] } }),
        policy('b', { runAsGroup: { rule: 'Odd' } }),
      ],
    ]) {
      expect((await admitWith({ policies }, { object: pod() })).message).to.equal(message);
    }
  });

  describe('of an update', () => {
    const admitted = (name: string, spec: object = {}) =>
      pod(spec, { name: 'p', namespace: 'default', annotations: { 'orch.io/psp': name } });
    const update = (policies: readonly ApiObject[], object: ApiObject, oldObject: ApiObject) =>
      admitWith({ policies }, { operation: 'UPDATE', object, oldObject });

    it('prefers the policy that let the pod in, and changes nothing', async () => {
      const object = admitted('b', { hostname: 'x' });
      const { message, audited } = await update([policy('a'), policy('b')], object, admitted('b'));
      expect(message).to.equal(undefined);
      expect(audited).to.deep.equal({ [`${audit}/validate-policy`]: 'b' });
      expect(object).to.deep.equal(admitted('b', { hostname: 'x' }));
    });

    it('refuses what would have to be changed, and what is not allowed', async () => {
      const changed = admitted('a', { hostname: 'x' });
      expect((await update([policy('a', readOnly)], changed, admitted('a'))).message).to.equal(
        'PodSecurityPolicy: unable to validate pod: []',
      );
      expect((await update([policy('a')], privileged(), pod())).message).to.equal(
        'PodSecurityPolicy: unable to validate pod: [spec.containers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed]',
      );
    });

    it('is not asked for where only owners and finalizers change, nor for the status', async () => {
      const owned = (more: object) => pod({}, { name: 'p', namespace: 'default', ...more });
      const object = owned({ finalizers: ['a/b'], ownerReferences: [{ uid: '1' }], managedFields: [{}] });
      expect(await update([], object, owned({ finalizers: ['c/d'] }))).to.deep.equal({
        message: undefined,
        asked: [],
        audited: {},
      });
      const status = {
        operation: 'UPDATE',
        subresource: 'status',
        object: privileged(),
        oldObject: pod(),
      } as const;
      expect((await admitWith({ policies: [] }, status)).message).to.equal(undefined);
      expect((await update([], owned({ labels: { a: 'b' } }), owned({}))).message).to.match(/no providers/);
    });

    it('counts ephemeral containers in', async () => {
      const containers = (securityContext: object) =>
        ({
          kind: 'EphemeralContainers',
          apiVersion: 'v1',
          metadata: { name: 'p', namespace: 'default' },
          ephemeralContainers: [{ name: 'e', image: 'i', resources: {}, securityContext }],
        }) as ApiObject;
      const add = (securityContext: object) =>
        admitWith(
          { policies: [policy('a')], stored: [pod()] },
          {
            operation: 'UPDATE',
            subresource: 'ephemeralcontainers',
            object: containers(securityContext),
            oldObject: containers({}),
          },
        );
      expect((await add({})).message).to.equal(undefined);
      expect((await add({ privileged: true })).message).to.equal(
        'PodSecurityPolicy: unable to validate pod: [spec.ephemeralContainers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed]',
      );
    });
  });
});
