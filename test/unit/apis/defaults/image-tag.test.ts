import { expect } from 'chai';
import { isLatestImage } from '../../../../src/apis/defaults/index.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('isLatestImage', () => {
  for (const image of [
    'nginx',
    'nginx:latest',
    'library/nginx',
    'localhost/busybox',
    'registry.example.com/a/b',
    'registry.example.com:5000/a/b',
    'registry.example.com:5000/a/b:latest',
    `nginx:latest@${digest}`,
    'a__b/c-d--e',
  ]) {
    it(`is true for ${image}`, () => expect(isLatestImage(image)).to.equal(true));
  }

  for (const image of [
    '',
    'nginx:1.19',
    'registry.example.com:5000/a/b:v1',
    `nginx@${digest}`,
    'nginx@broken',
    'nginx:latest@broken',
    'Upper/Case',
    'nginx:',
    'a//b',
    '-a',
    'b'.repeat(64).replaceAll('b', 'f'),
    'a'.repeat(300),
  ]) {
    it(`is false for ${JSON.stringify(image)}`, () => expect(isLatestImage(image)).to.equal(false));
  }

  it('takes linear time for hostile text', () => {
    expect(isLatestImage(`${'a-'.repeat(120)}!`)).to.equal(false);
    expect(isLatestImage(`${'a.'.repeat(100_000)}/b`)).to.equal(false);
  });
});
