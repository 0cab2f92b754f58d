import { expect } from 'chai';
import { label1035, subdomain1123 } from '../core-pod/wording.ts';
import { create, update } from '../rule-fixture.ts';

const kind = 'internal.apiserver.orch.io/v1alpha1.StorageVersion';
const server = (encodingVersion: string, decodableVersions: readonly string[], apiServerID = 'a') => ({
  apiServerID,
  encodingVersion,
  decodableVersions,
});
const errorsOf = (status: object) => update(kind, {}, { status }, { way: 'status' }).errors;

describe('kindRules of storage versions', () => {
  it('name a group and a resource', () => {
    const { errors } = create(kind, { metadata: { name: 'core.pods' } });
    expect(errors).to.deep.equal([]);
  });

  it('know the version that servers agree on', () => {
    const agreed = [server('v1', ['v1', 'v2']), server('v1', ['v1'], 'b')];
    expect(errorsOf({})).to.deep.equal([]);
    expect(errorsOf({ storageVersions: agreed, commonEncodingVersion: 'v1' })).to.deep.equal([]);
    expect(errorsOf({ storageVersions: agreed })).to.deep.equal([
      'status.commonEncodingVersion: Invalid value: "null": the common encoding version is v1',
    ]);
    expect(errorsOf({ storageVersions: agreed, commonEncodingVersion: 'v2' })).to.deep.equal([
      'status.commonEncodingVersion: Invalid value: "v2": the actual common encoding version is v1',
    ]);
    for (const storageVersions of [[], [server('v1', ['v1']), server('v2', ['v2'])]]) {
      expect(errorsOf({ storageVersions, commonEncodingVersion: 'v1' })).to.deep.equal([
        'status.commonEncodingVersion: Invalid value: "v1": should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
      ]);
    }
  });

  it('keep the metadata where the status is written, as those of volume attachments do', () => {
    const before = { metadata: { labels: { a: '1' }, finalizers: ['a.b/c'] } };
    const after = { metadata: { labels: { a: '2' }, annotations: { b: 'c' }, ownerReferences: [{}] } };
    for (const one of [kind, 'storage.orch.io/v1.VolumeAttachment']) {
      const { object } = update(one, before, after, { way: 'status' });
      expect(object.metadata, one).to.deep.include({
        ...before.metadata,
        annotations: undefined,
        ownerReferences: undefined,
      });
    }
  });

  it('check what each server says of itself', () => {
    const storageVersions = [server('-v', ['v1', '-w'], '-a')];
    const path = 'status.storageVersions[0]';
    expect(errorsOf({ storageVersions, commonEncodingVersion: '-v' })).to.deep.equal([
      `${path}.apiServerID: Invalid value: "-a": ${subdomain1123}`,
      `${path}.encodingVersion: Invalid value: "-v": ${label1035}`,
      `${path}.decodableVersions[1]: Invalid value: "-w": ${label1035}`,
      `${path}.decodableVersions: Invalid value: []string{"v1", "-w"}: decodableVersions must include encodingVersion -v`,
    ]);
  });

  it('check conditions', () => {
    const condition = { type: 'T', status: 'True', reason: 'R', message: 'm' };
    expect(errorsOf({ conditions: [condition, { ...condition, type: 'U', status: 'other' }] })).to.deep.equal(
      [],
    );
    const conditions = [condition, { type: 'T', status: '-', reason: '', message: '' }];
    const [double, status, ...others] = errorsOf({ conditions });
    expect(double).to.equal(
      'status[1].type: Invalid value: "T": the type of the condition is not unique, it also appears in conditions[0]',
    );
    expect(status).to.match(/^status\[1\]\.status: Invalid value: "T": name part must consist of/);
    expect(others).to.deep.equal([
      'status[1].reason: Required value: reason cannot be empty',
      'status[1].message: Required value: message cannot be empty',
    ]);
  });
});
