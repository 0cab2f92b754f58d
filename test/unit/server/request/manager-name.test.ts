import { expect } from 'chai';
import { managerName } from '../../../../src/server/request/manager-name.ts';
import { makeExchange } from '../../../support/exchange.ts';

const nameOf = (agent: string | undefined, fieldManager = ''): string =>
  managerName(makeExchange({ headers: agent === undefined ? {} : { 'user-agent': agent } }), fieldManager);
/** A header as it comes from the socket: its bytes one by one. */
const onWire = (text: string): string => Buffer.from(text).toString('latin1');

describe('managerName', () => {
  const cases: [what: string, agent: string | undefined, name: string][] = [
    ['the first part of the user agent', 'ctl/v1.20.2 (linux/amd64) orch/abc', 'ctl'],
    ['a user agent without a slash', 'curl', 'curl'],
    ['blanks, which can be printed', 'My Tool/1', 'My Tool'],
    ['nothing without a user agent', undefined, ''],
    ['nothing before a leading slash', '/1.0', ''],
    ['nothing that cannot be printed', 'a\u0001b\tc\u007f/1', 'abc'],
    ['letters beyond ASCII, sent as UTF-8', onWire('prüfer日/1'), 'prüfer日'],
    ['a sign for bytes that are no UTF-8', 'a\u00ffb/1', 'a\ufffdb'],
    ['nothing of separators beyond ASCII', onWire('a\u2028\u00a0b'), 'ab'],
    ['128 bytes at most', `${'x'.repeat(127)}yz/1`, `${'x'.repeat(127)}y`],
    ['whole characters at the limit', onWire(`${'x'.repeat(127)}éz/1`), 'x'.repeat(127)],
  ];
  for (const [what, agent, name] of cases) {
    it(`takes ${what}`, () => expect(nameOf(agent)).to.equal(name));
  }

  it('prefers what the request names', () => expect(nameOf('curl/7', 'deployer')).to.equal('deployer'));

  it('tells agents apart that follow one another', () => {
    expect(['a/1', 'a/1', 'b/1', 'a/2'].map((agent) => nameOf(agent))).to.deep.equal(['a', 'a', 'b', 'a']);
  });
});
