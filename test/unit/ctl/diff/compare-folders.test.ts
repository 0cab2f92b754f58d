import { expect } from 'chai';
import type { DiscoveredResource } from '../../../../src/client/discovery/index.ts';
import { objectFileName } from '../../../../src/ctl/diff/compare-folders.ts';

const resource = (group: string, version: string, kind: string) =>
  ({ group, version, kind }) as DiscoveredResource; // only these fields are read

describe('objectFileName', () => {
  it('joins group, version, kind, namespace and name', () => {
    const deployment = resource('apps', 'v1', 'Deployment');
    expect(objectFileName({ resource: deployment, namespace: 'default', name: 'web' })).to.equal(
      'apps.v1.Deployment.default.web',
    );
    expect(objectFileName({ resource: resource('', 'v1', 'Node'), namespace: '', name: 'n1' })).to.equal(
      'v1.Node..n1',
    );
  });

  it('never leads out of its folder', () => {
    const target = { resource: resource('', 'v1', 'Pod'), namespace: '../..', name: '../../etc/passwd' };
    expect(objectFileName(target)).to.not.match(/[/\\]/);
  });

  it('keeps long names apart within the length that file systems take', () => {
    const names = ['a', 'b'].map((end) =>
      objectFileName({
        resource: resource('', 'v1', 'Pod'),
        namespace: 'n'.repeat(63),
        name: 'x'.repeat(250) + end,
      }),
    );
    expect(names[0]).to.not.equal(names[1]);
    expect(Math.max(...names.map((name) => Buffer.byteLength(name)))).to.be.at.most(255);
  });
});
