import { expect } from 'chai';
import { describe, it } from 'mocha';
import { mountOf, mountsBelow, parseMountTable } from '../../../../src/nodeagent/volumes/mount-table.ts';

const table = [
  '22 27 0:21 / /proc rw,relatime - proc proc rw',
  '30 27 8:1 /a\\040b /pods/u/v\\040w rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw',
  '31 30 0:40 / /pods/u/v\\040w/deep rw - tmpfs tmpfs rw',
  '32 27 0:41 / /pods/u rw - tmpfs tmpfs rw',
  '33 27 0:42 / /pods/u2 rw - tmpfs tmpfs rw',
  'nonsense',
  '',
].join('\n');

describe('parseMountTable', () => {
  it('reads paths, roots, devices and types', () => {
    const points = parseMountTable(table);
    expect(points.length).to.equal(5);
    expect(points[1]).to.deep.equal({
      path: '/pods/u/v w',
      root: '/a b',
      device: '8:1',
      fsType: 'ext4',
      isShared: true,
    });
    expect(points[2]?.isShared).to.equal(false);
  });
});

describe('mountsBelow', () => {
  it('finds a folder and what is in it, the newest first', () => {
    const found = mountsBelow(parseMountTable(table), '/pods/u').map(({ path }) => path);
    expect(found).to.deep.equal(['/pods/u', '/pods/u/v w/deep', '/pods/u/v w']);
  });
});

describe('mountOf', () => {
  for (const [path, expected] of [
    ['/pods/u/v w/deep/er', '/pods/u/v w/deep'],
    ['/pods/u/other', '/pods/u'],
    ['/pods/u22', undefined],
  ] as const) {
    it(`of ${path} is ${expected}`, () => {
      expect(mountOf(parseMountTable(table), path)?.path).to.equal(expected);
    });
  }
});
