import { expect } from 'chai';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { run, specOf, write } from './fixtures.ts';

const object = (kind: string, parts: object = {}): ApiObject =>
  ({ kind, apiVersion: 'v1', metadata: { name: 'o' }, spec: {}, status: {}, ...parts }) as ApiObject;

describe('StorageObjectInUseProtection', () => {
  for (const [resourceName, finalizer] of [
    ['persistentvolumeclaims', 'orch.io/pvc-protection'],
    ['persistentvolumes', 'orch.io/pv-protection'],
  ] as const) {
    it(`protects ${resourceName}`, async () => {
      const claim = object('X', { metadata: { name: 'o', finalizers: ['example.com/f'] } });
      await run(write({ resourceName, object: claim }), { plugins: ['StorageObjectInUseProtection'] });
      await run(write({ resourceName, object: claim }), { plugins: ['StorageObjectInUseProtection'] });
      expect(claim.metadata.finalizers).to.deep.equal(['example.com/f', finalizer]);
    });
  }

  it('leaves others alone', async () => {
    const map = object('ConfigMap');
    await run(write({ resourceName: 'configmaps', object: map }), {
      plugins: ['StorageObjectInUseProtection'],
    });
    expect(map.metadata).not.to.have.property('finalizers');
  });
});

describe('TaintNodesByCondition', () => {
  const taint = { key: 'node.orch.io/not-ready', effect: 'NoSchedule' };

  it('taints a new node once', async () => {
    const node = object('Node', { spec: { taints: [{ key: taint.key, effect: 'NoExecute' }] } });
    await run(write({ resourceName: 'nodes', object: node }), { plugins: ['TaintNodesByCondition'] });
    await run(write({ resourceName: 'nodes', object: node }), { plugins: ['TaintNodesByCondition'] });
    expect(specOf(node).taints).to.deep.equal([{ key: taint.key, effect: 'NoExecute' }, taint]);
  });
});

interface ClassCase {
  readonly plugin: string;
  readonly resourceName: string;
  readonly classes: string;
  readonly field: string;
  readonly isDefault: string;
  readonly named: string;
  readonly plural: string;
}

const classCases: readonly ClassCase[] = [
  {
    plugin: 'DefaultStorageClass',
    resourceName: 'persistentvolumeclaims',
    classes: 'storage.orch.io/storageclasses',
    field: 'storageClassName',
    isDefault: 'storageclass.beta.orch.io/is-default-class',
    named: 'volume.beta.orch.io/storage-class',
    plural: 'StorageClasses',
  },
  {
    plugin: 'DefaultIngressClass',
    resourceName: 'ingresses.networking.orch.io',
    classes: 'networking.orch.io/ingressclasses',
    field: 'ingressClassName',
    isDefault: 'ingressclass.orch.io/is-default-class',
    named: 'orch.io/ingress.class',
    plural: 'IngressClasses',
  },
];

for (const { plugin, resourceName, classes, field, isDefault, named, plural } of classCases) {
  describe(plugin, () => {
    const marked = (name: string, value = 'true') =>
      object('Class', { metadata: { name, annotations: { [isDefault]: value } } });
    const objects = { [classes]: [marked('a', 'false'), marked('b')] };
    const runOn = (target: ApiObject, known: object = objects) =>
      run(write({ resourceName, object: target }), { plugins: [plugin], objects: known as never });

    it('sets the default class', async () => {
      const target = object('X');
      await runOn(target);
      expect(specOf(target)[field]).to.equal('b');
    });

    it('sets nothing without a default class', async () => {
      const target = object('X');
      await runOn(target, {});
      expect(specOf(target)).to.deep.equal({});
    });

    it('keeps a class that is named, also an empty one or an annotation', async () => {
      const empty = object('X', { spec: { [field]: '' } });
      const annotated = object('X', { metadata: { name: 'o', annotations: { [named]: '' } } });
      await runOn(empty);
      await runOn(annotated);
      expect(specOf(empty)[field]).to.equal('');
      expect(specOf(annotated)).to.deep.equal({});
    });

    it('refuses when two classes are the default', async () => {
      const refused = await runOn(object('X'), { [classes]: [marked('a'), marked('b')] });
      expect(refused?.message).to.equal(
        `${resourceName} "o" is forbidden: Internal error occurred: 2 default ${plural} were found`,
      );
    });
  });
}

describe('PersistentVolumeClaimResize', () => {
  const claim = (storage: string, phase = 'Bound', storageClassName = 'grows') =>
    object('PersistentVolumeClaim', {
      spec: { storageClassName, resources: { requests: { storage } } },
      status: { phase },
    });
  const objects = {
    'storage.orch.io/storageclasses': [
      object('StorageClass', { metadata: { name: 'grows' }, allowVolumeExpansion: true }),
      object('StorageClass', { metadata: { name: 'stays' } }),
    ],
  };
  const notBound = 'Only bound persistent volume claims can be expanded';
  const notAllowed =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  const cases: [string, ApiObject, ApiObject, string | undefined][] = [
    ['growth', claim('2Gi'), claim('1Gi'), undefined],
    ['the same size in other words', claim('1024Mi', 'Pending'), claim('1Gi', 'Pending'), undefined],
    ['growth of a claim that is not bound', claim('2Gi', 'Pending'), claim('1Gi', 'Pending'), notBound],
    [
      'growth in a class that forbids it',
      claim('2Gi', 'Bound', 'stays'),
      claim('1Gi', 'Bound', 'stays'),
      notAllowed,
    ],
    ['growth without a class', claim('2Gi', 'Bound', ''), claim('1Gi', 'Bound', ''), notAllowed],
  ];
  for (const [title, changed, oldObject, detail] of cases) {
    it(`${detail === undefined ? 'accepts' : 'refuses'} ${title}`, async () => {
      const attributes = write({
        operation: 'UPDATE',
        resourceName: 'persistentvolumeclaims',
        object: changed,
        oldObject,
      });
      const refused = await run(attributes, { plugins: ['PersistentVolumeClaimResize'], objects });
      const message = `persistentvolumeclaims "o" is forbidden: ${detail}`;
      expect(refused?.message).to.equal(detail === undefined ? undefined : message);
    });
  }
});

/** Builds DER: a tag, a length below 128 and the content. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
};

/** A request with one organization, as far as its subject goes. */
function requestFor(organization: string): string {
  const id = Buffer.from('060355040a', 'hex');
  const name = der(0x30, der(0x31, der(0x30, id, der(0x0c, Buffer.from(organization)))));
  const info = der(0x30, der(0x02, Buffer.from([0])), name, der(0x30), der(0xa0));
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der(0x30, info).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  return Buffer.from(pem).toString('base64');
}

const resourceName = 'certificatesigningrequests.certificates.orch.io';

describe('CertificateSubjectRestriction', () => {
  const runOn = (signerName: string, request: string) =>
    run(
      write({ resourceName, object: object('CertificateSigningRequest', { spec: { signerName, request } }) }),
      {
        plugins: ['CertificateSubjectRestriction'],
      },
    );
  const signer = 'orch.io/orch-apiserver-client';

  it('refuses the privileged group with the own signer only', async () => {
    const refused = await runOn(signer, requestFor('system:masters'));
    expect(refused?.message).to.equal(
      `${resourceName} "o" is forbidden: use of ${signer} signer with system:masters group is not allowed`,
    );
    expect(await runOn('example.com/s', requestFor('system:masters'))).to.equal(undefined);
    expect(await runOn(signer, requestFor('devs'))).to.equal(undefined);
  });

  it('refuses what is no request', async () => {
    expect((await runOn(signer, 'bm8='))?.code).to.equal(403);
  });
});

describe('CertificateApproval, CertificateSigning', () => {
  const request = object('CertificateSigningRequest', { spec: { signerName: 'example.com/s' } });
  const signed = object('CertificateSigningRequest', {
    spec: { signerName: 'example.com/s' },
    status: { certificate: 'x' },
  });
  const cases: [string, string, ApiObject, readonly string[], string | undefined][] = [
    ['CertificateApproval', 'approval', request, ['approve example.com/s'], undefined],
    ['CertificateApproval', 'approval', request, ['approve example.com/*'], undefined],
    ['CertificateApproval', 'approval', request, ['sign example.com/s'], 'approve'],
    ['CertificateSigning', 'status', signed, ['sign example.com/*'], undefined],
    ['CertificateSigning', 'status', signed, ['approve example.com/s'], 'sign'],
    ['CertificateSigning', 'status', request, [], undefined],
  ];
  for (const [plugin, subresource, changed, granted, missing] of cases) {
    it(`${plugin} with ${granted.join() || 'no permission'}: ${missing ? 'refused' : 'accepted'}`, async () => {
      const attributes = write({
        operation: 'UPDATE',
        resourceName,
        subresource,
        object: changed,
        oldObject: request,
      });
      const isAllowed = ({ verb, resource, name }: { verb: string; resource: string; name: string }) =>
        resource === 'signers' && granted.includes(`${verb} ${name}`);
      const refused = await run(attributes, { plugins: [plugin], options: { isAllowed } });
      const detail = `user not permitted to ${missing} requests with signerName "example.com/s"`;
      expect(refused?.message).to.equal(missing && `${resourceName} "o" is forbidden: ${detail}`);
    });
  }
});
