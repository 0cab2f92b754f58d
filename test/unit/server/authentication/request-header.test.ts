import { expect } from 'chai';
import type { UserInfo } from '../../../../src/apis/index.ts';
import { encodeHeader } from '../../../../src/base/index.ts';
import {
  type RequestHeaderOptions,
  requestHeaderAuthenticator,
} from '../../../../src/server/authentication/request-header.ts';
import { makeExchange } from '../../../support/exchange.ts';

const nowMs = Date.UTC(2026, 0, 1);
/** Trusts whatever TLS trusts: which authority signed a certificate is another test's. */
const anyAuthority: RequestHeaderOptions['authorities'] = { trusts: ({ isSigned }) => isSigned };
const names: RequestHeaderOptions = {
  authorities: anyAuthority,
  allowedNames: [],
  usernameHeaders: ['X-Remote-User', 'X-Other-User'],
  groupHeaders: ['X-Remote-Group', 'X-Other-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-', 'X-Other-Extra-'],
  nowMs: () => nowMs,
};
const socketOf = (commonName: string, authorized = true) => ({
  authorized,
  getPeerCertificate: () => ({
    subject: { CN: commonName },
    valid_from: new Date(nowMs - 1000).toUTCString(),
    valid_to: new Date(nowMs + 1000).toUTCString(),
  }),
});

/** The user of a request of the proxy `front` with these headers, and the request as others then see it. */
function authenticate(
  rawHeaders: readonly string[],
  { socket = socketOf('front') as object, options = names } = {},
) {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers[(rawHeaders[at] ?? '').toLowerCase()] = rawHeaders[at + 1] ?? '';
  }
  const { request } = makeExchange({ headers, rawHeaders: [...rawHeaders], socket });
  return { user: requestHeaderAuthenticator(options).authenticate(request), request };
}

describe('requestHeaderAuthenticator', () => {
  const user = (name: string, groups: string[] = [], extra: Record<string, string[]> = {}): UserInfo => ({
    name,
    uid: '',
    groups,
    extra,
  });
  const cases: readonly (readonly [
    what: string,
    headers: readonly string[],
    expected: UserInfo | undefined,
  ])[] = [
    ['the user', ['X-Remote-User', 'bob'], user('bob')],
    [
      'names beyond ASCII',
      [
        'X-Remote-User',
        encodeHeader('zoë'),
        'X-Remote-Group',
        encodeHeader('łódź'),
        'X-Remote-Extra-A',
        encodeHeader('ü'),
      ],
      user('zoë', ['łódź'], { a: ['ü'] }),
    ],
    ['a header in any case', ['x-REMOTE-user', 'bob'], user('bob')],
    ['the first header that says something', ['X-Remote-User', '', 'X-Other-User', 'bob'], user('bob')],
    ['the first value', ['X-Remote-User', 'bob', 'X-Remote-User', 'eve'], user('bob')],
    ['the order of the flag', ['X-Other-User', 'eve', 'X-Remote-User', 'bob'], user('bob')],
    ['nobody in an empty header', ['X-Remote-User', ''], undefined],
    ['nobody in a first value that is empty', ['X-Remote-User', '', 'X-Remote-User', 'eve'], undefined],
    ['nobody in groups alone', ['X-Remote-Group', 'system:masters'], undefined],
    [
      'each value of all group headers that is not empty',
      [
        'X-Remote-User',
        'bob',
        'X-Other-Group',
        'c',
        'X-Remote-Group',
        'a',
        'X-Remote-Group',
        '',
        'X-Remote-Group',
        'b, d',
      ],
      user('bob', ['a', 'b, d', 'c']),
    ],
    [
      'extra values by decoded key, prefix after prefix',
      [
        'X-Other-Extra-Scope',
        '3',
        'X-Remote-User',
        'bob',
        'X-Remote-Extra-Scope',
        '1',
        'X-Remote-Extra-scope',
        '2',
      ],
      user('bob', [], { scope: ['1', '2', '3'] }),
    ],
    [
      'keys with escapes, and wrong ones as they are',
      [
        'X-Remote-User',
        'bob',
        'X-Remote-Extra-Acme.com%2fProject',
        'p',
        'X-Remote-Extra-50%',
        'q',
        'X-Remote-Extra-',
        'r',
      ],
      user('bob', [], { 'acme.com/project': ['p'], '50%': ['q'], '': ['r'] }),
    ],
    [
      'keys that are names of what every object has',
      ['X-Remote-User', 'bob', 'X-Remote-Extra-constructor', 'p'],
      user('bob', [], { constructor: ['p'] }),
    ],
  ];
  for (const [what, headers, expected] of cases) {
    it(`reads ${what}`, () => expect(authenticate(headers).user).to.deep.equal(expected));
  }

  it('removes what it used, in whatever case, and nothing else', () => {
    const { request } = authenticate([
      ...['X-Remote-User', 'bob', 'Accept', '*/*', 'x-other-user', 'eve', 'X-Remote-Group', 'g'],
      ...['X-Remote-Extra-a%2fb', 'p', 'X-Remote-Extra', 'kept', 'X-Other-Extra-Q', 'q'],
    ]);
    expect(request.rawHeaders).to.deep.equal(['Accept', '*/*', 'X-Remote-Extra', 'kept']);
    expect(request.headers).to.deep.equal({ accept: '*/*', 'x-remote-extra': 'kept' });
  });

  const strangers: readonly (readonly [string, object, readonly string[], 'refused' | undefined])[] = [
    ['without a certificate', {}, [], undefined],
    ['of a foreign authority', socketOf('front', false), [], 'refused'],
    ['with another name', socketOf('other'), ['front', 'back'], 'refused'],
    ['with a name that begins alike', socketOf('front2'), ['front'], 'refused'],
    ['without a name', socketOf(''), ['front'], 'refused'],
  ];
  for (const [what, socket, allowedNames, expected] of strangers) {
    it(`believes no client ${what}, and leaves its headers alone`, () => {
      const headers = ['X-Remote-User', 'admin', 'X-Remote-Group', 'system:masters'];
      const { user: found, request } = authenticate(headers, { socket, options: { ...names, allowedNames } });
      expect(found).to.equal(expected);
      expect(request.rawHeaders).to.deep.equal(headers);
    });
  }

  it('believes each of several names', () => {
    const options = { ...names, allowedNames: ['back', 'front'] };
    expect(authenticate(['X-Remote-User', 'bob'], { options }).user).to.deep.equal(user('bob'));
  });
});
