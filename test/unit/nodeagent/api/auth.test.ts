import { expect } from 'chai';
import { silentLogger } from '../../../../src/base/index.ts';
import type { RestClient, RestRequest } from '../../../../src/client/rest/index.ts';
import { TransportError } from '../../../../src/client/rest/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { createAuthenticator } from '../../../../src/nodeagent/api/auth/authenticator.ts';
import { createAccessReviews } from '../../../../src/nodeagent/api/auth/authorizer.ts';
import {
  formatAttributes,
  requestAttributes,
} from '../../../../src/nodeagent/api/auth/request-attributes.ts';
import { createTokenReviews } from '../../../../src/nodeagent/api/auth/token-reviews.ts';
import { anonymousUser } from '../../../../src/nodeagent/api/auth/user.ts';
import type { AgentExchange } from '../../../../src/nodeagent/api/http/exchange.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

const signal = new AbortController().signal;
const alice = { name: 'alice', uid: 'u1', groups: ['dev'], extra: { team: ['a'] } };

/** A client whose server answers every review with a status. */
function clientOf(answer: (request: RestRequest) => unknown) {
  const requests: RestRequest[] = [];
  const client = {
    async json(request: RestRequest) {
      requests.push(request);
      return { status: answer(request) };
    },
  };
  return { requests, client: client as unknown as RestClient }; // reviews use nothing else
}

/** A request with the given header and certificate. */
const exchangeOf = (authorization?: string, socket: object = {}): AgentExchange =>
  ({ request: { headers: { authorization }, socket } }) as unknown as AgentExchange; // all that is looked at

describe('requestAttributes', () => {
  const cases: readonly (readonly [request: string, verb: string, subresource: string])[] = [
    ['GET /pods', 'get', 'proxy'],
    ['POST /run/n/p/c', 'create', 'proxy'],
    ['PUT /pods', 'update', 'proxy'],
    ['PATCH /x', 'patch', 'proxy'],
    ['DELETE /manifests/n/p', 'delete', 'proxy'],
    ['HEAD /healthz', '', 'proxy'],
    ['GET /stats', 'get', 'stats'],
    ['GET /stats/summary', 'get', 'stats'],
    ['GET /statsx', 'get', 'proxy'],
    ['GET /metrics', 'get', 'metrics'],
    ['GET /metrics/probes', 'get', 'metrics'],
    ['GET /logs/', 'get', 'log'],
    ['GET /containerLogs/n/p/c', 'get', 'proxy'],
    ['GET /spec/', 'get', 'spec'],
  ];
  for (const [request, verb, subresource] of cases) {
    it(`takes ${request} for ${verb || 'no verb'} on ${subresource}`, () => {
      const [method = '', path = ''] = request.split(' ');
      const attributes = requestAttributes({ method, path }, alice, 'n1');
      expect(formatAttributes(attributes)).to.equal(
        `(user=alice, verb=${verb}, resource=nodes, subresource=${subresource})`,
      );
    });
  }
});

describe('createTokenReviews', () => {
  const options = (answer: (request: RestRequest) => unknown) => {
    const clock = new ManualClock();
    const { client, requests } = clientOf(answer);
    const reviews = createTokenReviews({ client, dialect: orchDialect, clock, signal, ttlMs: 120_000 });
    return { clock, requests, reviews };
  };
  const good = { authenticated: true, user: { username: 'alice', uid: 'u1', groups: ['dev'] } };

  it('asks the API server, and keeps its verdict for a while', async () => {
    const { clock, requests, reviews } = options(() => good);
    expect(await reviews.review('t')).to.deep.equal({ name: 'alice', uid: 'u1', groups: ['dev'], extra: {} });
    clock.advance(119_999);
    await reviews.review('t');
    expect(requests).to.have.length(1);
    clock.advance(1);
    await reviews.review('t');
    expect(requests).to.have.length(2);
    expect(requests[0]).to.deep.include({
      method: 'POST',
      path: '/apis/authentication.orch.io/v1/tokenreviews',
      body: {
        kind: 'TokenReview',
        apiVersion: 'authentication.orch.io/v1',
        metadata: {},
        spec: { token: 't' },
      },
    });
  });

  it('keeps bad verdicts too, but no failures', async () => {
    let status: unknown = { authenticated: false };
    const { requests, reviews } = options(() => status);
    expect(await reviews.review('bad')).to.equal(undefined);
    expect(await reviews.review('bad')).to.equal(undefined);
    expect(requests).to.have.length(1);
    status = { error: 'no idea' };
    for (const _ of [1, 2]) {
      const failure = await reviews.review('odd').catch((error: unknown) => error);
      expect(String(failure)).to.include('no idea');
    }
    expect(requests).to.have.length(3);
  });

  it('asks once for those who ask at the same time', async () => {
    const { requests, reviews } = options(() => good);
    await Promise.all([reviews.review('t'), reviews.review('t'), reviews.review('t')]);
    expect(requests).to.have.length(1);
  });

  it('asks again while the API server cannot be reached', async () => {
    let failures = 2;
    const { clock, reviews } = options(() => {
      if (failures-- > 0) throw new TransportError('refused', 'refused', { host: 'h' });
      return good;
    });
    const reviewing = reviews.review('t');
    let user: unknown;
    void reviewing.then((found) => {
      user = found;
    });
    await eventually(async () => {
      clock.advance(1000);
      return user;
    });
    expect(user).to.deep.include({ name: 'alice' });
  });
});

describe('createAccessReviews', () => {
  it('asks for what the request means to do, and keeps verdicts by kind', async () => {
    const clock = new ManualClock();
    let isAllowed = true;
    const { client, requests } = clientOf(() => ({ allowed: isAllowed }));
    const authorize = createAccessReviews({
      client,
      dialect: orchDialect,
      clock,
      signal,
      authorizedTtlMs: 300_000,
      unauthorizedTtlMs: 30_000,
    });
    const attributes = requestAttributes({ method: 'GET', path: '/metrics' }, alice, 'n1');
    expect(await authorize(attributes)).to.equal(true);
    expect(requests[0]).to.deep.include({
      path: '/apis/authorization.orch.io/v1/subjectaccessreviews',
      body: {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.orch.io/v1',
        metadata: {},
        spec: {
          resourceAttributes: {
            verb: 'get',
            version: 'v1',
            resource: 'nodes',
            subresource: 'metrics',
            name: 'n1',
          },
          user: 'alice',
          groups: ['dev'],
          uid: 'u1',
          extra: { team: ['a'] },
        },
      },
    });
    isAllowed = false;
    clock.advance(299_999);
    expect(await authorize(attributes)).to.equal(true);
    clock.advance(1);
    expect(await authorize(attributes)).to.equal(false);
    isAllowed = true;
    clock.advance(29_999);
    expect(await authorize(attributes)).to.equal(false);
    clock.advance(1);
    expect(await authorize(attributes)).to.equal(true);
  });

  it('takes a denial for a denial, whatever else is said', async () => {
    const { client } = clientOf(() => ({ allowed: true, denied: true }));
    const authorize = createAccessReviews({
      client,
      dialect: orchDialect,
      clock: new ManualClock(),
      signal,
      authorizedTtlMs: 1,
      unauthorizedTtlMs: 1,
    });
    expect(await authorize(requestAttributes({ method: 'GET', path: '/' }, alice, 'n'))).to.equal(false);
  });
});

describe('createAuthenticator', () => {
  const validity = { valid_from: 'Jan  1 00:00:00 2026 GMT', valid_to: 'Jan  2 00:00:00 2026 GMT' };
  const inTime = Date.parse('2026-01-01T12:00:00Z');
  const certificate = (authorized: boolean, subject: object = { CN: 'bob', O: ['ops', 'dev'] }) => ({
    authorized,
    getPeerCertificate: () => ({ subject, ...validity }),
  });
  const tokens = {
    async review(token: string) {
      if (token === 'broken') throw new Error('no verdict');
      return token === 'good' ? alice : undefined;
    },
  };
  const options = { hasClientAuthority: true, tokens, logger: silentLogger, nowMs: () => inTime };
  const authenticate = (allowsAnonymous: boolean) => createAuthenticator({ ...options, allowsAnonymous });

  it('knows users by certificate, in the group of those who are known', async () => {
    const user = await authenticate(false)(exchangeOf(undefined, certificate(true)));
    expect(user).to.deep.equal({
      name: 'bob',
      uid: '',
      groups: ['ops', 'dev', 'system:authenticated'],
      extra: {},
    });
  });

  it('knows users by token', async () => {
    const user = await authenticate(false)(exchangeOf('bearer good'));
    expect(user).to.deep.equal({ ...alice, groups: ['dev', 'system:authenticated'] });
  });

  it('takes a good token beside a foreign certificate', async () => {
    const user = await authenticate(false)(exchangeOf('Bearer good', certificate(false)));
    expect(user?.name).to.equal('alice');
  });

  it('lets strangers in where that is allowed', async () => {
    expect(await authenticate(true)(exchangeOf())).to.equal(anonymousUser);
    expect(await authenticate(false)(exchangeOf())).to.equal(undefined);
    expect(await authenticate(true)(exchangeOf('Basic abc'))).to.equal(anonymousUser);
  });

  const refused: readonly (readonly [what: string, exchange: AgentExchange])[] = [
    ['a bad token', exchangeOf('Bearer bad')],
    ['a token without a verdict', exchangeOf('Bearer broken')],
    ['a certificate of a foreign authority', exchangeOf(undefined, certificate(false))],
  ];
  for (const [what, exchange] of refused) {
    it(`refuses ${what} even where strangers are welcome`, async () => {
      expect(await authenticate(true)(exchange)).to.equal(undefined);
    });
  }

  it('refuses a certificate whose time is over, also on a connection that it opened in time', async () => {
    let nowMs = inTime;
    const late = createAuthenticator({ ...options, allowsAnonymous: true, nowMs: () => nowMs });
    const exchange = exchangeOf(undefined, certificate(true));
    expect((await late(exchange))?.name).to.equal('bob');
    nowMs = Date.parse('2026-01-02T00:00:01Z');
    expect(await late(exchange)).to.equal(undefined);
  });

  it('takes a certificate without a name for none', async () => {
    const nameless = exchangeOf(undefined, certificate(true, { O: 'ops' }));
    expect(await authenticate(true)(nameless)).to.equal(anonymousUser);
  });

  it('does not start without a way in', () => {
    const build = () =>
      createAuthenticator({
        hasClientAuthority: false,
        tokens: undefined,
        allowsAnonymous: false,
        nowMs: () => inTime,
        logger: silentLogger,
      });
    expect(build).to.throw('No authentication method configured');
  });
});
