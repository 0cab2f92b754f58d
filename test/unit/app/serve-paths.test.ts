import { expect } from 'chai';
import type { ProgramIo } from '../../../src/app/program-io.ts';
import { servePaths } from '../../../src/app/serve-paths.ts';
import { layerServeConfig } from '../../../src/config/serve/index.ts';

const paths = (argv: string[], io: Partial<ProgramIo> = {}) =>
  servePaths(layerServeConfig({ argv }).config, {
    env: {},
    home: '/home/ada',
    isRoot: false,
    out() {},
    err() {},
    ...io,
  });

describe('servePaths', () => {
  it('follows the user', () => {
    expect(paths([], { isRoot: true }).dataDirectory).to.equal('/var/lib/orch');
    expect(paths([]).dataDirectory).to.equal('/home/ada/.local/share/orch');
    expect(paths([], { env: { XDG_DATA_HOME: '/data' } }).dataDirectory).to.equal('/data/orch');
    expect(() => paths([], { home: undefined })).to.throw(RangeError, 'give --data-dir');
  });

  it('puts keys and objects into the data directory unless they have their own places', () => {
    expect(paths(['--data-dir=/d'])).to.deep.equal({
      dataDirectory: '/d',
      keyDirectory: '/d/pki',
      storageUrl: 'sqlite:/d/orch.db',
    });
    const moved = paths(['--data-dir=/d', '--cert-dir=/c', '--storage=memory:']);
    expect([moved.keyDirectory, moved.storageUrl]).to.deep.equal(['/c', 'memory:']);
    const shared = paths(['--data-dir=/d', '--etcd-servers=http://a:1,http://b:1']);
    expect([shared.keyDirectory, shared.storageUrl]).to.deep.equal(['/d/pki', 'etcd:http://a:1,http://b:1']);
  });

  it('keeps nothing of an ephemeral server', () => {
    expect(paths(['--ephemeral'], { home: undefined })).to.deep.equal({
      dataDirectory: undefined,
      keyDirectory: undefined,
      storageUrl: 'memory:',
    });
  });
});
