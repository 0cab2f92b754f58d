import { expect } from 'chai';
import type { Clock } from '../../../../src/base/index.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { type Objects, pod, run, specOf, write } from './fixtures.ts';

const namespace = 'default';
const mountPath = '/var/run/secrets/orch.io/serviceaccount';

function account(name: string, more: object = {}, annotations: object = {}): object {
  return { kind: 'ServiceAccount', metadata: { name, namespace, uid: `uid-${name}`, annotations }, ...more };
}

function token(name: string, owner: string, uid = `uid-${owner}`, type = 'orch.io/service-account-token') {
  const annotations = { 'orch.io/service-account.name': owner, 'orch.io/service-account.uid': uid };
  return { kind: 'Secret', metadata: { name, namespace, annotations }, type };
}

const objects: Objects = {
  '/serviceaccounts': [
    account('default', { secrets: [{ name: 'default-token' }] }),
    account('quiet', { automountServiceAccountToken: false }),
    account('puller', { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'registry' }] }),
    account('dotted', { secrets: [{ name: 'other' }, { name: 'stale' }, { name: 'to.ken' }] }),
    account('poor', { secrets: [{ name: 'stale' }, { name: 'gone' }] }),
    account(
      'strict',
      {
        automountServiceAccountToken: false,
        secrets: [{ name: 'own' }],
        imagePullSecrets: [{ name: 'reg' }],
      },
      { 'orch.io/enforce-mountable-secrets': 'true' },
    ),
    account('lax', { automountServiceAccountToken: false }, { 'orch.io/enforce-mountable-secrets': 'false' }),
  ],
  '/secrets': [
    token('default-token', 'default'),
    token('to.ken', 'dotted'),
    token('other', 'dotted', 'uid-dotted', 'Opaque'),
    token('stale', 'dotted', 'uid-before'),
  ],
};

/** A clock whose timers end at once, counted. */
function hastyClock(): Clock & { readonly waits: number } {
  let waits = 0;
  return {
    nowMs: () => 0,
    setTimer(_delayMs, callback) {
      waits++;
      setImmediate(callback);
      return () => {};
    },
    get waits() {
      return waits;
    },
  };
}

function admit(object: ApiObject, more: { gates?: string[]; objects?: Objects; clock?: Clock } = {}) {
  const { gates = [], clock = hastyClock() } = more;
  return run(write({ object, namespace }), {
    plugins: ['ServiceAccount'],
    gates: new Set(gates),
    objects: more.objects ?? objects,
    options: { clock },
  });
}

const refusal = async (object: ApiObject, more: Parameters<typeof admit>[1] = {}) => {
  const status = await admit(object, more);
  return status && [status.code, status.message];
};

describe('ServiceAccount', () => {
  it('gives a pod the account default and mounts its token into all containers', async () => {
    const object = pod({ initContainers: [{ name: 'i' }] });
    await admit(object);
    const mount = { name: 'default-token', readOnly: true, mountPath };
    expect(specOf(object)).to.deep.include({
      serviceAccountName: 'default',
      serviceAccount: 'default',
      initContainers: [{ name: 'i', volumeMounts: [mount] }],
      volumes: [{ name: 'default-token', secret: { secretName: 'default-token', defaultMode: 420 } }],
    });
    expect(specOf(object).containers).to.deep.equal([
      { name: 'c', image: 'i', resources: {}, volumeMounts: [mount] },
    ]);
  });

  it('takes the first token that is the account’s own, under a name without dots', async () => {
    const object = pod({ serviceAccountName: 'dotted' });
    await admit(object);
    expect(specOf(object).volumes).to.deep.equal([
      { name: 'to-ken', secret: { secretName: 'to.ken', defaultMode: 420 } },
    ]);
  });

  it('uses a volume with the token that is there, and leaves what is mounted at the path', async () => {
    const mounted = { name: 'mine', mountPath };
    const volumes = [{ name: 'mine', secret: { secretName: 'default-token' } }];
    const containers = [{ name: 'a', volumeMounts: [mounted] }, { name: 'b' }];
    const object = pod({ volumes, containers });
    await admit(object);
    expect(specOf(object).volumes).to.deep.equal(volumes);
    expect(specOf(object).containers).to.deep.equal([
      { name: 'a', volumeMounts: [mounted] },
      { name: 'b', volumeMounts: [{ name: 'mine', readOnly: true, mountPath }] },
    ]);
  });

  it('adds no volume when every container has something at the path', async () => {
    const containers = [{ name: 'a', volumeMounts: [{ name: 'x', mountPath }] }];
    const object = pod({ containers });
    await admit(object);
    expect(specOf(object).volumes).to.equal(undefined);
  });

  it('finds another name for the volume when that is taken', async () => {
    const object = pod({ volumes: [{ name: 'default-token', emptyDir: {} }] });
    await admit(object);
    const [, added] = specOf(object).volumes as { name: string }[];
    expect(added?.name).to.match(/^default-token-[a-z0-9]{5}$/);
  });

  const mounts: [string, object, boolean][] = [
    ['neither of them says so', {}, true],
    ['the account says no', { serviceAccountName: 'quiet' }, false],
    ['the pod says no', { automountServiceAccountToken: false }, false],
    ['the pod says yes where its account says no', { automountServiceAccountToken: true }, true],
  ];
  for (const [when, spec, isMounted] of mounts) {
    it(`${isMounted ? 'mounts' : 'mounts nothing'} when ${when}`, async () => {
      const object = pod(spec);
      await admit(object);
      expect(specOf(object).volumes !== undefined).to.equal(isMounted);
    });
  }

  it('gives a pod the pull secrets of its account unless it has own ones', async () => {
    const [without, own] = [
      pod({ serviceAccountName: 'puller' }),
      pod({ serviceAccountName: 'puller', imagePullSecrets: [{ name: 'mine' }] }),
    ];
    await admit(without);
    await admit(own);
    expect(specOf(without).imagePullSecrets).to.deep.equal([{ name: 'registry' }]);
    expect(specOf(own).imagePullSecrets).to.deep.equal([{ name: 'mine' }]);
  });

  it('projects a bound token with the gate BoundServiceAccountTokenVolume', async () => {
    const object = pod({ serviceAccountName: 'poor' });
    await admit(object, { gates: ['BoundServiceAccountTokenVolume'] });
    const [volume] = specOf(object).volumes as { name: string; projected: unknown }[];
    expect(volume?.name).to.match(/^orch-api-access-[a-z0-9]{5}$/);
    expect(volume?.projected).to.deep.equal({
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'orch-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 420,
    });
  });

  it('refuses a pod whose account is not there, without waiting for it', async () => {
    const clock = hastyClock();
    expect(await refusal(pod({ serviceAccountName: 'nobody' }), { clock })).to.deep.equal([
      403,
      'pods "p" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    ]);
    expect(clock.waits).to.equal(0);
  });

  it('waits for the account default and its token, which are made after the namespace', async () => {
    const late: Record<string, object[]> = {};
    const clock = hastyClock();
    const setTimer: Clock['setTimer'] = (delayMs, callback) => {
      if (clock.waits === 2) late['/serviceaccounts'] = [account('default', { secrets: [{ name: 't' }] })];
      if (clock.waits === 4) late['/secrets'] = [token('t', 'default')];
      return clock.setTimer(delayMs, callback);
    };
    const object = pod();
    await admit(object, { objects: late, clock: { nowMs: () => 0, setTimer } });
    expect(specOf(object).volumes).to.have.length(1);
    expect(clock.waits).to.equal(5);
  });

  it('says what is missing when there is no account default, or no token', async () => {
    const clock = hastyClock();
    expect(await refusal(pod(), { objects: {}, clock })).to.deep.equal([
      403,
      'pods "p" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    ]);
    expect(clock.waits).to.equal(50);
    expect(await refusal(pod({ serviceAccountName: 'poor' }))).to.deep.equal([
      500,
      'No API token found for service account "poor", retry after the token is automatically created and added to the service account',
    ]);
  });

  const env = (name: string) => [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }];
  const not = 'is not allowed because service account strict does not reference that';
  const strict: [string, object, string | undefined][] = [
    ['its own', { volumes: [{ name: 'v', secret: { secretName: 'own' } }] }, undefined],
    [
      'another in a volume',
      { volumes: [{ name: 'v', secret: { secretName: 'x' } }] },
      `volume with secret.secretName="x" ${not} secret`,
    ],
    [
      'another in a variable',
      { containers: [{ name: 'c', env: env('x') }] },
      `container c with envVar E referencing secret.secretName="x" ${not} secret`,
    ],
    [
      'another in a variable of an init container',
      { initContainers: [{ name: 'i', env: env('x') }] },
      `init container i with envVar E referencing secret.secretName="x" ${not} secret`,
    ],
    [
      'another to pull with',
      { imagePullSecrets: [{ name: 'reg' }, { name: 'x' }] },
      `imagePullSecrets[1].name="x" ${not} imagePullSecret`,
    ],
  ];
  for (const [what, spec, message] of strict) {
    it(`${message === undefined ? 'lets' : 'refuses'} a pod whose account is strict name ${what}`, async () => {
      const object = pod({ serviceAccountName: 'strict', ...spec });
      const expected = message && [403, `pods "p" is forbidden: ${message}`];
      expect(await refusal(object)).to.deep.equal(expected);
    });
  }

  it('does not look at secrets where the account is not strict', async () => {
    const volumes = [{ name: 'v', secret: { secretName: 'x' } }];
    expect(await refusal(pod({ serviceAccountName: 'lax', volumes }))).to.equal(undefined);
  });

  const mirror = (spec: object) =>
    pod(spec, { name: 'p', namespace, annotations: { 'orch.io/config.mirror': 'x' } });
  const projected = (source: object) => ({ volumes: [{ name: 'v', projected: { sources: [source] } }] });
  const mirrors: [string, object, string | undefined][] = [
    ['nothing', {}, undefined],
    ['an account', { serviceAccountName: 'default' }, 'service accounts'],
    ['a secret volume', { volumes: [{ name: 'v', secret: { secretName: 'x' } }] }, 'secrets'],
    ['a projected secret', projected({ secret: { name: 'x' } }), 'secrets'],
    ['a secret of a driver', { volumes: [{ name: 'v', rbd: { secretRef: { name: 'x' } } }] }, 'secrets'],
    ['a variable of a secret', { containers: [{ name: 'c', env: env('x') }] }, 'secrets'],
    ['all of a secret', { containers: [{ name: 'c', envFrom: [{ secretRef: { name: 'x' } }] }] }, 'secrets'],
    ['a pull secret', { imagePullSecrets: [{ name: 'x' }] }, 'secrets'],
  ];
  for (const [what, spec, named] of mirrors) {
    it(`${named === undefined ? 'leaves' : 'refuses'} a mirror pod that refers to ${what}`, async () => {
      const object = mirror(spec);
      const expected = named && [403, `pods "p" is forbidden: a mirror pod may not reference ${named}`];
      expect(await refusal(object, { objects: {} })).to.deep.equal(expected);
      expect(specOf(object).volumes).to.deep.equal((spec as { volumes?: unknown }).volumes);
    });
  }

  it('refuses a mirror pod with a token of an account', async () => {
    expect(await refusal(mirror(projected({ serviceAccountToken: { path: 't' } })))).to.deep.equal([
      403,
      'pods "p" is forbidden: a mirror pod may not use ServiceAccountToken volume projections',
    ]);
  });
});
