import { expect } from 'chai';
import type { UserInfo } from '../../../../src/apis/kind-rules.ts';
import { notFound, StatusError } from '../../../../src/machinery/errors/index.ts';
import { anonymousUser } from '../../../../src/server/authentication/authenticator.ts';
import { alwaysAllow, alwaysDeny } from '../../../../src/server/authorization/index.ts';
import { type AuthenticationOutcome, authentication } from '../../../../src/server/filters/authentication.ts';
import { authorization } from '../../../../src/server/filters/authorization.ts';
import { deadline } from '../../../../src/server/filters/deadline.ts';
import { recovery, requestLog } from '../../../../src/server/filters/endings.ts';
import { inFlight } from '../../../../src/server/filters/in-flight.ts';
import { composeFilters, type Exchange, type Filter } from '../../../../src/server/request/exchange.ts';
import { respondText } from '../../../../src/server/request/respond.ts';
import { StorageError } from '../../../../src/storage/index.ts';
import { encodings } from '../../../support/encodings.ts';
import { makeExchange, type TestRequest } from '../../../support/exchange.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

const succeed = async (exchange: Exchange): Promise<void> => respondText(exchange, 200, 'ok');
/** A step that waits until the test lets it go on. */
function held() {
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { next: () => gate, release };
}

describe('composeFilters', () => {
  it('runs filters in order, outermost first, and back in reverse', async () => {
    const steps: string[] = [];
    const filter =
      (name: string): Filter =>
      async (exchange, next) => {
        steps.push(`${name} in`);
        await next(exchange);
        steps.push(`${name} out`);
      };
    const handler = composeFilters([filter('a'), filter('b')], async () => void steps.push('handler'));
    await handler(makeExchange());
    expect(steps).to.deep.equal(['a in', 'b in', 'handler', 'b out', 'a out']);
  });

  it('stops at a filter that answers', async () => {
    let isReached = false;
    const handler = composeFilters([async (exchange) => succeed(exchange)], async () => {
      isReached = true;
    });
    await handler(makeExchange());
    expect(isReached).to.equal(false);
  });

  it('is the handler alone without filters', async () => {
    const exchange = makeExchange();
    await composeFilters([], succeed)(exchange);
    expect(exchange.answer.text).to.equal('ok');
  });
});

describe('recovery', () => {
  const logger = createRecordingLogger();
  beforeEach(() => {
    logger.lines.length = 0;
  });
  const answerTo = async (error: unknown) => {
    const exchange = makeExchange({ url: '/api/v1/pods' });
    await recovery(logger, encodings)(exchange, async () => {
      throw error;
    });
    return exchange.answer;
  };

  it('answers with the Status that was thrown, and logs nothing', async () => {
    const answer = await answerTo(notFound({ group: '', resource: 'pods' }, 'p'));
    expect([answer.statusCode, answer.json.reason]).to.deep.equal([404, 'NotFound']);
    expect(logger.lines).to.deep.equal([]);
  });

  it('answers storage failures as the API names them', async () => {
    const answer = await answerTo(new StorageError('unavailable', 'disk /secret'));
    expect([answer.statusCode, answer.json.reason]).to.deep.equal([503, 'ServiceUnavailable']);
    expect(answer.text).not.to.contain('secret');
  });

  const surprises: [name: string, thrown: unknown][] = [
    ['an error', new TypeError('secret of x')],
    ['a text', 'secret'],
    ['nothing', undefined],
    ['an object', { secret: 1 }],
  ];
  for (const [name, thrown] of surprises) {
    it(`answers ${name} that nobody expected with a bland 500 and one log line`, async () => {
      const answer = await answerTo(thrown);
      expect([answer.statusCode, answer.json.reason]).to.deep.equal([500, 'InternalError']);
      expect(answer.text).not.to.contain('secret');
      expect(logger.lines).to.have.length(1);
      expect(logger.lines[0]?.fields).to.deep.include({
        auditId: 'audit-1',
        path: '/api/v1/pods',
        error: thrown,
      });
    });
  }

  it('breaks off an answer that has begun, since it cannot be taken back', async () => {
    const exchange = makeExchange();
    await recovery(logger, encodings)(exchange, async () => {
      exchange.response.writeHead(200);
      throw new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, code: 404 });
    });
    expect(exchange.answer.destroyed).to.equal(true);
    expect(exchange.answer.text).to.equal('');
  });
});

describe('inFlight', () => {
  const gauges = {
    values: {} as Record<string, number>,
    set(kind: string, value: number) {
      this.values[kind] = value;
    },
  };
  const limited = () => inFlight({ maxReadOnly: 1, maxMutating: 1 }, gauges);
  const get: TestRequest = { url: '/api/v1/pods' };
  const post: TestRequest = { method: 'POST', url: '/api/v1/namespaces/n/pods' };

  it('refuses beyond the limit in plain text, with a time to come back, and lets in again after', async () => {
    const filter = limited();
    const { next, release } = held();
    const first = filter(makeExchange(get), next);
    const { answer, ...exchange } = makeExchange(get);
    await filter(exchange, succeed);
    expect([answer.statusCode, answer.text]).to.deep.equal([
      429,
      'Too many requests, please try again later.\n',
    ]);
    expect(answer.headers).to.include({ 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' });
    release();
    await first;
    await filter(makeExchange(get), succeed);
  });

  it('counts reads and writes apart', async () => {
    const filter = limited();
    const { next, release } = held();
    const first = filter(makeExchange(get), next);
    await filter(makeExchange(post), succeed);
    release();
    await first;
  });

  it('gives a place back when a request fails', async () => {
    const filter = limited();
    await filter(makeExchange(post), async () => {
      throw new Error('failed');
    }).catch(() => undefined);
    await filter(makeExchange(post), succeed);
    expect(gauges.values.mutating).to.equal(0);
  });

  it('tells the gauges', async () => {
    const filter = limited();
    const { next, release } = held();
    const first = filter(makeExchange(get), next);
    expect(gauges.values.readOnly).to.equal(1);
    release();
    await first;
    expect(gauges.values.readOnly).to.equal(0);
  });

  const unlimited: [name: string, request: TestRequest][] = [
    ['watches', { url: '/api/v1/pods?watch=1' }],
    ['logs', { url: '/api/v1/namespaces/n/pods/p/log' }],
    ['commands in containers', { method: 'POST', url: '/api/v1/namespaces/n/pods/p/exec' }],
    ['administrators', { ...get, user: { groups: ['system:masters'] } }],
  ];
  for (const [name, request] of unlimited) {
    it(`lets ${name} pass at any time`, async () => {
      const filter = limited();
      const { next, release } = held();
      const first = [filter(makeExchange(get), next), filter(makeExchange(post), next)];
      const exchange = makeExchange(request);
      await filter(exchange, succeed);
      expect(exchange.answer.text).to.equal('ok');
      release();
      await Promise.all(first);
    });
  }

  it('has no limit at 0', async () => {
    const filter = inFlight({ maxReadOnly: 0, maxMutating: 0 }, gauges);
    const { next, release } = held();
    const all = Array.from({ length: 50 }, () => filter(makeExchange(get), next));
    release();
    await Promise.all(all);
  });
});

describe('deadline', () => {
  const limited = (requestTimeoutMs: number) =>
    deadline({ requestTimeoutMs, isRemote: ({ path }) => path.includes('remote') });
  it('ends a request that takes too long, with a bare Status as text', async () => {
    const { next, release } = held();
    const { answer, ...exchange } = makeExchange({ url: '/api/v1/pods' });
    await limited(5)(exchange, next);
    expect(exchange.isTerminated).to.equal(true);
    expect([answer.statusCode, answer.headers['content-type'], answer.text]).to.deep.equal([
      504,
      'text/plain; charset=utf-8',
      '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within 5ms","reason":"Timeout","details":{},"code":504}\n',
    ]);
    release();
  });

  it('ends a write when the time is over that its client gave it, with a Status like any other', async () => {
    const { next, release } = held();
    const post = { method: 'POST', url: '/api/v1/namespaces/n/pods?timeout=4ms' };
    const status = await expectStatus(limited(60_000)(makeExchange(post), next), {
      code: 504,
      reason: 'Timeout',
    });
    expect(status.message).to.equal('Timeout: request did not complete within requested timeout 4ms');
    release();
  });

  for (const [what, request] of [
    ['reads', { url: '/api/v1/pods?timeout=0s' }],
    ['writes that others answer', { method: 'POST', url: '/apis/remote/v1/pods?timeout=0s' }],
    ['writes whose client gives them more', { method: 'POST', url: '/api/v1/pods?timeout=1h' }],
  ] as const) {
    it(`gives ${what} the time of any request`, async () => {
      const { next, release } = held();
      const exchange = makeExchange(request);
      await limited(5)(exchange, next);
      expect(exchange.answer.json.message).to.equal('Timeout: request did not complete within 5ms');
      release();
    });
  }

  it('breaks off an answer that has begun by then', async () => {
    const { next, release } = held();
    const exchange = makeExchange({ url: '/api/v1/pods' });
    exchange.response.writeHead(200);
    await expectStatus(limited(5)(exchange, next), { code: 504 });
    release();
  });

  it('gives such a request up: its signal aborts, and its place among those in flight is free', async () => {
    const filter = composeFilters(
      [limited(5), inFlight({ maxReadOnly: 1, maxMutating: 1 }, { set: () => {} })],
      () => new Promise(() => {}),
    );
    for (let count = 0; count < 2; count++) {
      const exchange = makeExchange({ url: '/api/v1/pods' });
      await filter(exchange);
      expect(exchange.answer.statusCode).to.equal(504);
      expect(exchange.signal.reason).to.be.instanceOf(StatusError);
    }
  });

  it('passes on what a request fails with in time', () =>
    expectStatus(
      limited(60_000)(makeExchange(), async () => {
        throw notFound({ group: '', resource: 'pods' }, 'p');
      }),
      { code: 404 },
    ));

  for (const url of ['/api/v1/pods?watch=1', '/api/v1/namespaces/n/pods/p/log']) {
    it(`lets ${url} last`, async () => {
      const { next, release } = held();
      let isOver = false;
      const lasting = limited(0)(makeExchange({ url }), next).then(() => {
        isOver = true;
      });
      // A timer of 0 would have fired by the time that a later one does.
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(isOver).to.equal(false);
      release();
      await lasting;
    });
  }
});

describe('authentication', () => {
  const authenticate = (user: UserInfo | undefined, outcomes: AuthenticationOutcome[] = []): Filter => {
    let now = 1000;
    return authentication({
      authenticator: { authenticate: () => user },
      onOutcome: (outcome) => outcomes.push(outcome),
      nowMs: () => {
        now += 500;
        return now;
      },
    });
  };

  it('sets the user for later steps', async () => {
    const exchange = makeExchange();
    const user = { name: 'alice', uid: '', groups: [], extra: {} };
    await authenticate(user)(exchange, succeed);
    expect(exchange.user).to.equal(user);
  });

  it('tells the listener who has proved to be somebody', async () => {
    for (const [user, expected] of [
      [{ name: 'alice', uid: '', groups: [], extra: {} }, true],
      [anonymousUser, false],
    ] as const) {
      let isTrusted = false;
      const trust = (): void => {
        isTrusted = true;
      };
      await authenticate(user)({ ...makeExchange(), trust }, async () => {});
      expect(isTrusted).to.equal(expected);
    }
  });

  it('refuses whom nobody knows', () =>
    expectStatus(authenticate(undefined)(makeExchange(), succeed), {
      code: 401,
      reason: 'Unauthorized',
      message: 'Unauthorized',
    }));

  const authorizedBy = (value: string): TestRequest => ({ headers: { authorization: value } });
  const cases: [what: string, user: UserInfo | undefined, request: TestRequest, AuthenticationOutcome][] = [
    ['a user', { ...anonymousUser, name: 'alice' }, {}, { result: 'success', user: 'alice', seconds: 0.5 }],
    ['nobody', undefined, {}, { result: 'failure', user: '', seconds: 0.5 }],
    [
      'a scheme of others',
      undefined,
      authorizedBy('Basic YQ=='),
      { result: 'failure', user: '', seconds: 0.5 },
    ],
    [
      'a token that is none',
      undefined,
      authorizedBy('Bearer x'),
      { result: 'error', user: '', seconds: 0.5 },
    ],
  ];
  for (const [what, user, request, expected] of cases) {
    it(`tells of ${what}`, async () => {
      const outcomes: AuthenticationOutcome[] = [];
      await authenticate(user, outcomes)(makeExchange(request), succeed).catch(() => {});
      expect(outcomes).to.deep.equal([expected]);
    });
  }
});

describe('authorization', () => {
  it('lets pass who may', async () => {
    const exchange = makeExchange();
    await authorization(alwaysAllow)(exchange, succeed);
    expect(exchange.answer.text).to.equal('ok');
  });

  const refusals: [request: TestRequest, message: string][] = [
    [
      { url: '/healthz' },
      'forbidden: User "system:anonymous" cannot get path "/healthz": Everything is forbidden.',
    ],
    [
      { url: '/api/v1/pods' },
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope: Everything is forbidden.',
    ],
    [
      { url: '/apis/apps/v1/namespaces/n/deployments/d', method: 'DELETE', user: { name: 'al"ice' } },
      'deployments.apps "d" is forbidden: User "al\\"ice" cannot delete resource "deployments" in API group "apps" in the namespace "n": Everything is forbidden.',
    ],
    [
      { url: '/api/v1/namespaces/n/pods/p/log' },
      'pods "p" is forbidden: User "system:anonymous" cannot get resource "pods/log" in API group "" in the namespace "n": Everything is forbidden.',
    ],
    [
      { url: '/a<b>&c', user: { name: '<x>' } },
      'forbidden: User "&lt;x&gt;" cannot get path "/a&lt;b&gt;&amp;c": Everything is forbidden.',
    ],
    [
      { url: '/100%25dx%25%25y%25' },
      'forbidden: User "system:anonymous" cannot get path "/100%!d(MISSING)x%y%!"(MISSING): Everything is forbidden.',
    ],
    [
      { url: '/api/v1/namespaces/n/pods/a%3Cb' },
      'pods "a<b" is forbidden: User "system:anonymous" cannot get resource "pods" in API group "" in the namespace "n": Everything is forbidden.',
    ],
  ];
  for (const [query, subject] of [
    ['', 'pods "foo"'],
    ['&watch=1&limit=5&labelSelector=a', 'pods "foo"'],
    ['&limit=x', 'pods'],
    ['&timeoutSeconds=', 'pods'],
    ['&labelSelector=a%20b', 'pods'],
    ['&fieldSelector=x', 'pods "foo"'],
  ] as const)
    it(`names what a field selector names, when all options can be read: ${query}`, async () => {
      const url = `/api/v1/pods?fieldSelector=metadata.name%3Dfoo${query}`;
      const status = await expectStatus(authorization(alwaysDeny)(makeExchange({ url }), succeed), {
        code: 403,
      });
      expect(status.message).to.match(new RegExp(`^${subject} is forbidden`));
    });

  it('names no object for a path of old, whatever its field selector says', async () => {
    const url = '/api/v1/watch/pods?fieldSelector=metadata.name%3Dfoo';
    const status = await expectStatus(authorization(alwaysDeny)(makeExchange({ url }), succeed), {
      code: 403,
    });
    expect(status.message).to.match(/^pods is forbidden/);
  });

  for (const [request, message] of refusals) {
    it(`refuses ${request.method ?? 'GET'} ${request.url} with who, what and where`, () =>
      expectStatus(authorization(alwaysDeny)(makeExchange(request), succeed), {
        code: 403,
        reason: 'Forbidden',
        message,
      }));
  }

  it('keeps browsers from taking the answer for a page', async () => {
    const { answer, ...exchange } = makeExchange({ url: '/x' });
    await expectStatus(authorization(alwaysDeny)(exchange, succeed), { code: 403 });
    expect(answer.headers['x-content-type-options']).to.equal('nosniff');
  });

  it('says no more than that when there is no reason', () =>
    expectStatus(
      authorization({ authorize: () => ({ isAllowed: false, reason: '' }) })(
        makeExchange({ url: '/x' }),
        succeed,
      ),
      { code: 403, message: 'forbidden: User "system:anonymous" cannot get path "/x"' },
    ));
});

describe('requestLog', () => {
  it('writes one line with the end of a request, without query, headers and body', async () => {
    const lines: [string, unknown][] = [];
    const logger = {
      ...createRecordingLogger(),
      debug: (message: string, fields?: unknown) => void lines.push([message, fields]),
    };
    const exchange = makeExchange({
      url: '/api/v1/secrets?token=hidden',
      headers: { authorization: 'Bearer hidden' },
      startedAtMs: 100,
    });
    await requestLog(logger, () => 107)(exchange, succeed);
    expect(lines).to.deep.equal([
      [
        'request',
        {
          auditId: 'audit-1',
          verb: 'list',
          path: '/api/v1/secrets',
          user: 'system:anonymous',
          status: 200,
          durationMs: 7,
        },
      ],
    ]);
    expect(JSON.stringify(lines)).not.to.contain('hidden');
  });
});
