import { expect } from 'chai';
import type { UserInfo } from '../../../../src/apis/index.ts';
import { tokenFileAuthenticator } from '../../../../src/server/authentication/token-file.ts';
import { makeExchange } from '../../../support/exchange.ts';

const ask = async (
  csv: string,
  authorization?: string,
  socket: object = {},
): Promise<UserInfo | undefined> => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return tokenFileAuthenticator(csv).authenticate(makeExchange({ headers, socket }).request);
};
const user = (name: string, uid = '', groups: string[] = []): UserInfo => ({ name, uid, groups, extra: {} });

describe('tokenFileAuthenticator', () => {
  const lines: [name: string, csv: string, token: string, expected: UserInfo | undefined][] = [
    ['token and user', 't,alice', 't', user('alice')],
    ['a uid', 't,alice,u1', 't', user('alice', 'u1')],
    ['one group', 't,alice,u1,devs', 't', user('alice', 'u1', ['devs'])],
    ['groups in quotes', 't,alice,u1,"devs,testers"', 't', user('alice', 'u1', ['devs', 'testers'])],
    ['an empty uid', 't,alice,,devs', 't', user('alice', '', ['devs'])],
    ['a comma at the end', 't,alice,u1,', 't', user('alice', 'u1')],
    ['empty groups', 't,alice,u1,","', 't', user('alice', 'u1')],
    ['quotes around everything', '"t","alice","u1","devs"', 't', user('alice', 'u1', ['devs'])],
    ['a quote in quotes', 't,"al""ice"', 't', user('al"ice')],
    ['spaces around fields', ' t , alice , u1 , "devs" ', 't', user('alice', 'u1', ['devs'])],
    ['an empty field in quotes', 't,alice,"",devs', 't', user('alice', '', ['devs'])],
    ['a comma in a name', 't,"a, b"', 't', user('a, b')],
    ['lines that end as on Windows', 't,alice\r\nt2,bob\r\n', 't2', user('bob')],
    ['empty lines', '\n\n  \nt,alice\n\n', 't', user('alice')],
    ['remarks', '# t,mallory\nt,alice', 't', user('alice')],
    ['more fields than are known', 't,alice,u1,devs,more,and more', 't', user('alice', 'u1', ['devs'])],
    ['a token that nobody has', 't,alice', 'x', undefined],
    ['a part of a token', 'token,alice', 'tok', undefined],
    ['a file without lines', '', 't', undefined],
  ];
  for (const [name, csv, token, expected] of lines) {
    it(`reads ${name}`, async () => {
      expect(await ask(csv, `Bearer ${token}`)).to.deep.equal(expected);
    });
  }

  const headers: [header: string | undefined, isKnown: boolean][] = [
    ['Bearer t', true],
    ['bearer t', true],
    ['BEARER t ', true],
    ['Bearer t u', true],
    ['Bearer   t', false],
    ['Bearer', false],
    ['Bearer ', false],
    ['Basic t', false],
    ['t', false],
    [undefined, false],
  ];
  for (const [header, isKnown] of headers) {
    it(`${isKnown ? 'knows' : 'does not know'} the header ${header}`, async () => {
      expect((await ask('t,alice', header)) !== undefined).to.equal(isKnown);
    });
  }

  it('asks anew when a connection sends another token', () => {
    const authenticator = tokenFileAuthenticator('t,alice\nu,bob');
    const socket = {};
    const names = ['Bearer t', 'Bearer t', 'Bearer u', 'Bearer x', 'Bearer t'].map((authorization) => {
      const { request } = makeExchange({ headers: { authorization }, socket });
      return (authenticator.authenticate(request) as UserInfo | undefined)?.name;
    });
    expect(names).to.deep.equal(['alice', 'alice', 'bob', undefined, 'alice']);
  });

  const broken: [csv: string, line: number][] = [
    [',alice', 1],
    ['good-token,ok\nsecret-token', 2],
    ['\n\nsecret-token,', 3],
    ['secret-token,,uid', 1],
    ['secret-token,"alice', 1],
    ['secret-token,alice"', 1],
    ['secret-token,"alice"x,uid', 1],
    ['secret-token,al"ice', 1],
    ['secret-token,alice,uid,"one,two', 1],
    ['"secret-token', 1],
  ];
  for (const [csv, line] of broken) {
    it(`names line ${line} of ${JSON.stringify(csv)}, and never a token`, () => {
      expect(() => tokenFileAuthenticator(csv))
        .to.throw(Error, `token file line ${line}:`)
        .with.property('message')
        .that.does.not.contain('secret');
    });
  }
});
