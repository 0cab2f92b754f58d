import { expect } from 'chai';
import { kindRules } from '../../../../src/apis/index.ts';
import { defaultGates } from '../../../support/default-gates.ts';
import { create, update } from '../rule-fixture.ts';

describe('kindRules of csi drivers: tokens', () => {
  it('say no more of a request whose audience came before', () => {
    const tokenRequests = [
      { audience: 'a', expirationSeconds: 1 },
      { audience: 'a', expirationSeconds: 1 },
    ];
    const spec = { attachRequired: true, podInfoOnMount: true, fsGroupPolicy: 'None', tokenRequests };
    const gates = defaultGates({ CSIServiceAccountToken: true });
    expect(create('storage.orch.io/v1beta1.CSIDriver', { spec }, { gates }).errors).to.deep.equal([
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    ]);
  });
});

describe('kindRules of csi drivers: changes', () => {
  const kind = 'storage.orch.io/v1beta1.CSIDriver';
  const gates = defaultGates({ CSIServiceAccountToken: true });
  const spec = { attachRequired: true, podInfoOnMount: true, fsGroupPolicy: 'None' };

  it('are refused for what is wanted of tokens as well', () => {
    for (const change of [
      { tokenRequests: [{ audience: 'a', expirationSeconds: 1 }] },
      { requiresRepublish: true },
    ]) {
      const { errors } = update(kind, { spec }, { spec: { ...spec, ...change } }, { gates });
      expect(errors).to.have.length(1);
      expect(errors[0]).to.match(/^spec: Invalid value: .*: field is immutable$/);
    }
  });

  it('look at no values that are stored', () => {
    const stored = { spec: { ...spec, fsGroupPolicy: 'Other' } };
    expect(update(kind, stored, stored, { gates }).errors).to.deep.equal([]);
  });
});

describe('kindRules of csi nodes: drivers', () => {
  it('that were changed are told in the order in which they were stored', () => {
    const drivers = (first: string, second: string, nodeID: string) => ({
      spec: { drivers: [first, second].map((name) => ({ name, nodeID, topologyKeys: [] })) },
    });
    const { errors } = update('storage.orch.io/v1.CSINode', drivers('a', 'b', '1'), drivers('b', 'a', '2'));
    expect(errors.map((text) => /Name:"(.)"/.exec(text)?.[1])).to.deep.equal(['a', 'b']);
  });
});

describe('kindRules of storage classes: parameters', () => {
  it('without entries are not none', () => {
    const storageClass = { provisioner: 'a', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' };
    const change = (parameters: object | undefined) =>
      update('storage.orch.io/v1.StorageClass', storageClass, { ...storageClass, parameters }).errors;
    expect(change(undefined)).to.deep.equal([]);
    expect(change({})).to.deep.equal(['parameters: Forbidden: updates to parameters are forbidden.']);
  });
});

describe('kindRules of volume attachments: the status', () => {
  const kind = 'storage.orch.io/v1.VolumeAttachment';
  const spec = { attacher: 'a', source: { persistentVolumeName: 'v' }, nodeName: 'n' };
  const change = (requestApiVersion: string) =>
    update(
      kind,
      { spec, status: { attached: true } },
      { spec, status: { attached: false } },
      { requestApiVersion },
    ).object.status;

  it('is written with the rest in the beta version only', () => {
    expect(change('storage.orch.io/v1beta1')).to.deep.equal({ attached: false });
    expect(change('storage.orch.io/v1')).to.deep.equal({ attached: true });
    expect(kindRules[kind]).not.to.have.property('hasStatus');
  });
});
