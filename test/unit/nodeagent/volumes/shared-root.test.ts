import { expect } from 'chai';
import { silentLogger } from '../../../../src/base/index.ts';
import { type MountCommands, type MountPoint, shareRoot } from '../../../../src/nodeagent/volumes/index.ts';
import { isBoundToItself, planSharedRoot } from '../../../../src/nodeagent/volumes/shared-root.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

const point = (path: string, more: Partial<MountPoint> = {}): MountPoint => ({
  path,
  device: '8:1',
  root: '/',
  fsType: 'ext4',
  isShared: false,
  ...more,
});
const self = point('/var/lib/agent', { root: '/var/lib/agent', isShared: true });

describe('planSharedRoot', () => {
  const cases: readonly [string, readonly MountPoint[], string][] = [
    ['a folder of a shared machine', [point('/', { isShared: true })], 'none'],
    ['a folder of a private machine', [point('/')], 'bind'],
    ['a folder that is bound already', [point('/'), self], 'none'],
    ['a file system of its own', [point('/'), point('/var/lib/agent', { device: '8:2' })], 'share'],
    ['a bind mount that was not finished', [point('/'), { ...self, isShared: false }], 'share'],
    ['a folder with mounts below it', [point('/'), point('/var/lib/agent/pods/u/v')], 'blocked'],
    ['another with the same beginning', [point('/'), point('/var/lib/agent-2/x')], 'bind'],
    ['a private mount on a shared machine', [point('/', { isShared: true }), point('/var')], 'bind'],
  ];
  for (const [name, points, plan] of cases) {
    it(`is ${plan} for ${name}`, () => expect(planSharedRoot(points, '/var/lib/agent')).to.equal(plan));
  }
});

describe('isBoundToItself', () => {
  const cases: readonly [string, readonly MountPoint[], boolean][] = [
    ['a folder that is', [point('/'), self], true],
    [
      'a folder of another file system that is',
      [
        point('/'),
        point('/var', { device: '8:2', root: '/sub' }),
        { ...self, device: '8:2', root: '/sub/lib/agent' },
      ],
      true,
    ],
    ['a plain folder', [point('/')], false],
    ['a file system of its own', [point('/'), point('/var/lib/agent', { device: '8:2' })], false],
    ['another folder that is mounted there', [point('/'), { ...self, root: '/srv' }], false],
    ['one with mounts below it', [point('/'), self, point('/var/lib/agent/pods/u/v')], false],
  ];
  for (const [name, points, isBound] of cases) {
    it(`is ${isBound} for ${name}`, () =>
      expect(isBoundToItself(points, '/var/lib/agent')).to.equal(isBound));
  }
});

describe('shareRoot', () => {
  it('lets the agent run where it must not mount', async () => {
    await using directory = await makeTemporaryDirectory();
    const told: string[] = [];
    const logger = { ...silentLogger, error: (text: string) => void told.push(text) };
    const refused = () => Promise.reject(new Error('permission denied'));
    const list = async () => [point('/')];
    const powerless: MountCommands = { mount: refused, share: refused, unmount: refused, list };
    await using _ = await shareRoot({ rootDirectory: directory.path, mount: powerless, logger });
    expect(told).to.deep.equal(['root directory not shared: mounts do not propagate to containers']);
  });
});
