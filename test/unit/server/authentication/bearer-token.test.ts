import { expect } from 'chai';
import { type Logger, silentLogger } from '../../../../src/base/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { bearerTokenAuthenticator } from '../../../../src/server/authentication/bearer-token.ts';
import {
  refusedToken,
  type TokenVerdict,
  unknownToken,
} from '../../../../src/server/authentication/token-authenticator.ts';
import { makeExchange } from '../../../support/exchange.ts';

const alice = { name: 'alice', uid: '', groups: [], extra: {} };
const verdicts: Readonly<Record<string, TokenVerdict>> = {
  good: { kind: 'user', user: alice, audiences: ['api'] },
  gö: { kind: 'user', user: alice, audiences: ['api'] },
  bad: refusedToken('it is old', 'it is odd'),
};

describe('bearerTokenAuthenticator', () => {
  const encode = (text: string | Buffer) => Buffer.from(text).toString('base64url');
  const ask = async (
    headers: Readonly<Record<string, string>>,
    { isLate = false, dialect = orchDialect } = {},
  ) => {
    const lines: unknown[] = [];
    const logger: Logger = {
      ...silentLogger,
      debug: (message, fields) => void lines.push([message, fields]),
    };
    const asked: (readonly string[])[] = [];
    const authenticator = bearerTokenAuthenticator({
      tokens: {
        authenticateToken(token, audiences) {
          asked.push(audiences);
          const verdict = verdicts[token] ?? unknownToken;
          return isLate ? Promise.resolve(verdict) : verdict;
        },
      },
      audiences: ['api'],
      dialect,
      logger,
    });
    return { found: await authenticator.authenticate(makeExchange({ headers }).request), asked, lines };
  };
  const socket = (protocols: string) => ({ upgrade: 'WebSocket', 'sec-websocket-protocol': protocols });
  const prefix = 'base64url.bearer.authorization.orch.io.';

  const cases: readonly (readonly [what: string, headers: Record<string, string>, expected: unknown])[] = [
    ['a token of the header', { authorization: 'Bearer good' }, alice],
    ['a token that is refused', { authorization: 'Bearer bad' }, 'refused'],
    ['a token that nobody knows', { authorization: 'Bearer new' }, 'refused'],
    ['another scheme', { authorization: 'Basic good' }, undefined],
    ['no header', {}, undefined],
    ['a token among subprotocols', socket(`a.b, ${prefix}${encode('good')}`), alice],
    ['one that is no ASCII', socket(`${prefix}${encode('gö')},a.b`), alice],
    ['one that nobody knows', socket(`a.b, ${prefix}${encode('new')}`), 'refused'],
    ['one beside no other subprotocol', socket(`${prefix}${encode('good')}`), 'refused'],
    ['two of them', socket(`a, ${prefix}${encode('good')}, ${prefix}${encode('good')}`), 'refused'],
    ['one with padding', socket(`a, ${prefix}${encode('good')}==`), 'refused'],
    ['one that is no UTF-8', socket(`a, ${prefix}${encode(Buffer.from([0xff, 0xfe]))}`), 'refused'],
    ['one of no length', socket(`a, ${prefix}`), undefined],
    ['subprotocols without one', socket('a, b'), undefined],
    ['one that is no WebSocket’s', { 'sec-websocket-protocol': `a, ${prefix}${encode('good')}` }, undefined],
  ];
  for (const [what, headers, expected] of cases) {
    for (const isLate of [false, true]) {
      it(`answers ${what}${isLate ? ' late' : ''}`, async () => {
        expect((await ask(headers, { isLate })).found).to.deep.equal(expected);
      });
    }
  }

  it('knows the subprotocol by the name of its dialect', async () => {
    const headers = socket(`a, base64url.bearer.authorization.k8s.io.${encode('good')}`);
    expect((await ask(headers, { dialect: createDialect('kubernetes') })).found).to.deep.equal(alice);
    expect((await ask(headers)).found).to.equal(undefined);
  });

  it('asks for tokens that are for the API', async () => {
    expect((await ask({ authorization: 'Bearer good' })).asked).to.deep.equal([['api']]);
  });

  it('tells the log why a token was refused, and never the token', async () => {
    const { lines } = await ask({ authorization: 'Bearer bad' });
    expect(JSON.stringify(lines)).to.contain('it is old; it is odd').and.not.contain('"bad"');
  });
});
