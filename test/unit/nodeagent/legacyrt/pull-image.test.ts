import { expect } from 'chai';
import { describe, it } from 'mocha';
import { splitName, writeCredentials } from '../../../../src/nodeagent/legacyrt/pull-image.ts';

describe('splitName', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const cases = {
    busybox: ['busybox', 'latest'],
    'busybox:1.36': ['busybox', '1.36'],
    'localhost:5000/a/b': ['localhost:5000/a/b', 'latest'],
    'localhost:5000/a/b:2': ['localhost:5000/a/b', '2'],
    [`host/a@${digest}`]: ['host/a', digest],
    [`host:1/a:tag@${digest}`]: ['host:1/a', digest],
  };
  for (const [image, [fromImage, tag]] of Object.entries(cases)) {
    it(`of ${image}`, () => expect(splitName(image)).to.deep.equal({ fromImage, tag }));
  }
});

describe('writeCredentials', () => {
  const read = (header: string): unknown => JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));

  it('gives the login, its names small', () => {
    const credentials = {
      username: 'u',
      password: 'ü?>',
      serverAddress: 's',
      identityToken: 'i',
      registryToken: 'r',
    };
    expect(read(writeCredentials(credentials))).to.deep.equal({
      username: 'u',
      password: 'ü?>',
      serveraddress: 's',
      identitytoken: 'i',
      registrytoken: 'r',
    });
    expect(writeCredentials({ password: '???>>>' })).to.not.match(/[+/]/);
  });

  it('takes a joined login apart at its first colon', () => {
    const auth = Buffer.from('robot:a:b c').toString('base64');
    expect(read(writeCredentials({ auth }))).to.deep.equal({ username: 'robot', password: 'a:b c' });
  });

  it('is an empty object without any', () => {
    expect(read(writeCredentials())).to.deep.equal({});
  });
});
