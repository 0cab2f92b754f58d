import { expect } from 'chai';
import { CtlError } from '../../../../src/ctl/errors.ts';
import { createFilter, type FilterRules } from '../../../../src/ctl/proxy/filter.ts';

/** As release 1.20's `proxy` has them when no flag is given. */
const usual: FilterRules = {
  acceptPaths: '^.*',
  rejectPaths: '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach',
  acceptHosts: '^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$',
  rejectMethods: '^$',
};
const get = { method: 'GET', path: '/api/v1/pods', host: 'localhost:8001' };

describe('createFilter', () => {
  const cases: readonly [string, Partial<FilterRules>, Partial<typeof get>, boolean][] = [
    ['usual requests', {}, {}, true],
    ['a host without a port', {}, { host: 'localhost' }, true],
    ['the address of this machine', {}, { host: '127.0.0.1:8001' }, true],
    ['a host with an empty port', {}, { host: 'localhost:' }, true],
    ['an IPv6 address in brackets without a port', {}, { host: '[::1]' }, true],
    ['other hosts', {}, { host: 'evil.example:8001' }, false],
    ['no host', {}, { host: '' }, false],
    ['hosts that begin as one that is accepted', {}, { host: 'localhost.evil.example' }, false],
    ['hosts that end as one that is accepted', {}, { host: 'not-localhost:8001' }, false],
    ['a host with two ports', {}, { host: 'localhost:80:8001' }, false],
    ['an address whose dots are other characters', {}, { host: '127x0x0x1' }, false],
    ['a second line', {}, { host: 'evil.example\nlocalhost' }, false],
    ['a port that is a name', {}, { host: 'localhost:evil' }, false],
    ['sessions in pods', {}, { path: '/api/v1/namespaces/n/pods/p/exec' }, false],
    ['sessions in pods with a query', {}, { path: '/api/v1/namespaces/n/pods/p/attach?stdin=true' }, false],
    ['logs of pods', {}, { path: '/api/v1/namespaces/n/pods/p/log' }, true],
    ['paths that are not accepted', { acceptPaths: '^/api/' }, { path: '/apis/apps/v1' }, false],
    ['paths that one of several patterns accepts', { acceptPaths: '^/a$,^/b$' }, { path: '/b' }, true],
    ['paths that are accepted and rejected', { acceptPaths: '/pods', rejectPaths: 'v1' }, {}, false],
    ['methods that are rejected', { rejectMethods: 'POST,PUT,DELETE' }, { method: 'PUT' }, false],
    ['methods that are not', { rejectMethods: 'POST,PUT,DELETE' }, {}, true],
    ['methods of which a part is named', { rejectMethods: 'P' }, { method: 'PATCH' }, false],
    ['methods in another case', { rejectMethods: '^post$' }, { method: 'POST' }, true],
    ['any host where all are accepted', { acceptHosts: '.*' }, { host: 'evil.example' }, true],
    ['anything where an empty pattern rejects', { rejectPaths: '' }, {}, false],
    ['anything where a comma at the end adds an empty pattern', { rejectMethods: 'POST,' }, {}, false],
  ];
  for (const [title, rules, request, isAccepted] of cases) {
    it(`${isAccepted ? 'accepts' : 'refuses'} ${title}`, () => {
      const filter = createFilter({ ...usual, ...rules });
      expect(filter({ ...get, ...request })).to.equal(isAccepted);
    });
  }

  it('reads the flags as regular expressions of Go', () => {
    const filter = createFilter({ ...usual, acceptPaths: '(?i)^/API/\\pL\\d/' });
    expect(filter(get)).to.equal(true);
    expect(filter({ ...get, path: '/api/11/' })).to.equal(false);
  });

  it('names the flag and the pattern that is none', () => {
    const flags: readonly [keyof FilterRules, string][] = [
      ['acceptPaths', 'accept-paths'],
      ['rejectPaths', 'reject-paths'],
      ['acceptHosts', 'accept-hosts'],
      ['rejectMethods', 'reject-methods'],
    ];
    for (const [rule, flag] of flags)
      expect(() => createFilter({ ...usual, [rule]: 'fine,(' })).to.throw(
        CtlError,
        `--${flag}: "(" is no regular expression: `,
      );
  });

  it('refuses what only other languages know', () => {
    for (const pattern of ['(?=x)', '(?<!x)y', '(a)\\1'])
      expect(() => createFilter({ ...usual, acceptPaths: pattern })).to.throw(CtlError);
  });

  it('takes no longer for a pattern and a path that let other engines try for ever', () => {
    const filter = createFilter({ ...usual, acceptPaths: '^(a+)+$' });
    expect(filter({ ...get, path: `${'a'.repeat(5000)}!` })).to.equal(false);
  });
});
