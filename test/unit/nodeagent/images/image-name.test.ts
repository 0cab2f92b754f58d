import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ImageNameError, parseImageName } from '../../../../src/nodeagent/images/index.ts';

const hex = 'a1'.repeat(32);

/** [name as given, repository, name to pull]. */
const good = [
  ['busybox', 'docker.io/library/busybox', 'docker.io/library/busybox:latest'],
  ['busybox:1', 'docker.io/library/busybox', 'busybox:1'],
  ['team/app', 'docker.io/team/app', 'docker.io/team/app:latest'],
  ['index.docker.io/busybox', 'docker.io/library/busybox', 'docker.io/library/busybox:latest'],
  ['localhost/busybox', 'localhost/busybox', 'localhost/busybox:latest'],
  ['localhost:9/busybox', 'localhost:9/busybox', 'localhost:9/busybox:latest'],
  ['r.example.com/a/b-c/d__e.f', 'r.example.com/a/b-c/d__e.f', 'r.example.com/a/b-c/d__e.f:latest'],
  [`app@sha256:${hex}`, 'docker.io/library/app', `app@sha256:${hex}`],
  [
    `R.example.com:5000/app:v1@sha256:${hex}`,
    'R.example.com:5000/app',
    `R.example.com:5000/app:v1@sha256:${hex}`,
  ],
] as const;

/** [name, what is said about it after the name]. */
const bad = [
  ['Bad//Image:x:y', 'invalid reference format: repository name must be lowercase'],
  ['', 'invalid reference format'],
  ['a b', 'invalid reference format'],
  ['a//b', 'invalid reference format'],
  ['a:', 'invalid reference format'],
  ['a:b:c', 'invalid reference format'],
  ['a:-b', 'invalid reference format'],
  ['r.example.com:port/a', 'invalid reference format'],
  ['-r.example.com/a', 'invalid reference format'],
  ['a@sha256:1234', 'invalid reference format'],
  ['a@sha256:', 'invalid reference format'],
  [`a@sha256:${'a'.repeat(63)}`, 'invalid checksum digest length'],
  [`a@md5:${'a'.repeat(32)}`, 'unsupported digest algorithm'],
  [`a@sha256:${hex.toUpperCase()}`, 'invalid checksum digest format'],
  [hex, `invalid repository name (${hex}), cannot specify 64-byte hexadecimal strings`],
  ['a'.repeat(256), 'repository name must not be more than 255 characters'],
  ['a'.repeat(100_000), 'invalid reference format'],
  [`${'a-'.repeat(50_000)}!`, 'invalid reference format'],
] as const;

describe('parseImageName', () => {
  for (const [text, repository, pullName] of good) {
    it(`takes ${text}`, () => {
      expect(parseImageName(text)).to.deep.equal({ repository, pullName });
    });
  }

  for (const [text, reason] of bad) {
    it(`refuses ${text.slice(0, 40)}`, () => {
      expect(() => parseImageName(text)).to.throw(
        ImageNameError,
        `couldn't parse image reference ${JSON.stringify(text)}: ${reason}`,
      );
    });
  }

  it('gives the same repository for the name that it says to pull', () => {
    const part = fc.stringMatching(/^[a-z0-9]{1,8}(?:[-_.][a-z0-9]{1,4})?$/);
    const name = fc
      .tuple(fc.constantFrom('', 'localhost:5000/', 'r.io/'), fc.array(part, { minLength: 1, maxLength: 3 }))
      .map(([host, parts]) => host + parts.join('/'));
    fc.assert(
      fc.property(name, (text) => {
        const once = parseImageName(text);
        const twice = parseImageName(once.pullName);
        expect(twice).to.deep.equal(once);
      }),
    );
  });

  it('never fails otherwise than by saying that it is no name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          parseImageName(text);
        } catch (error) {
          expect(error).to.be.instanceOf(ImageNameError);
        }
      }),
    );
  });
});
