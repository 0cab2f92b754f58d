import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import type { UserInfo } from '../../../../../src/apis/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import {
  AccessWebhook,
  type AccessWebhookOptions,
  type AuthorizationQuestion,
} from '../../../../../src/server/authorization/index.ts';
import { CalloutError } from '../../../../../src/server/callouts/index.ts';
import { makeExchange } from '../../../../support/exchange.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { ManualClock } from '../../../storage/manual-clock.ts';

const group = 'authorization.orch.io';
const alice: UserInfo = { name: 'alice', uid: '1', groups: ['devs'], extra: { z: ['1'], a: ['2', '3'] } };
const nobody: UserInfo = { name: '', uid: '', groups: [], extra: {} };

/** A webhook that answers as told, and what it was sent. */
class Bench {
  readonly clock = new ManualClock();
  readonly logger = createRecordingLogger();
  readonly sent: Record<string, unknown>[] = [];
  readonly webhook: AccessWebhook;
  answer: () => string = () => this.review({ allowed: true, reason: 'because' });
  readonly #version: 'v1' | 'v1beta1';

  constructor(options: Partial<AccessWebhookOptions> = {}) {
    this.#version = options.version ?? 'v1';
    const call = async ({ body }: { readonly body: string | Buffer }) => {
      this.sent.push(JSON.parse(body.toString()));
      return { status: 200, contentType: 'application/json', body: Buffer.from(this.answer()) };
    };
    this.webhook = new AccessWebhook({
      caller: { call },
      callee: () => ({ url: 'https://hook' }),
      version: 'v1',
      authorizedTtlMs: 3000,
      unauthorizedTtlMs: 2000,
      dialect: orchDialect,
      catalog: createTypeCatalog(orchDialect),
      clock: this.clock,
      logger: this.logger,
      random: () => 0,
      ...options,
    });
  }

  review(status: object, more: object = {}): string {
    return JSON.stringify({
      kind: 'SubjectAccessReview',
      apiVersion: `${group}/${this.#version}`,
      status,
      ...more,
    });
  }

  async ask(url: string, user = alice, method = 'GET') {
    const { info } = makeExchange({ method, url });
    return this.webhook.authorize({ user, request: info });
  }
}

describe('AccessWebhook', () => {
  const resource = '/apis/apps/v1/namespaces/n/deployments/d/scale';
  for (const [version, groups] of [
    ['v1', 'groups'],
    ['v1beta1', 'group'],
  ] as const) {
    it(`sends what is asked in ${version}`, async () => {
      const bench = new Bench({ version });
      await bench.ask(resource);
      await bench.ask('/logs/x', nobody);
      const review = (spec: object) => ({
        kind: 'SubjectAccessReview',
        apiVersion: `${group}/${version}`,
        metadata: { creationTimestamp: null },
        spec,
        status: { allowed: false },
      });
      const asked = {
        namespace: 'n',
        verb: 'get',
        group: 'apps',
        version: 'v1',
        resource: 'deployments',
        subresource: 'scale',
        name: 'd',
      };
      expect(bench.sent).to.deep.equal([
        review({
          resourceAttributes: asked,
          user: 'alice',
          [groups]: ['devs'],
          extra: { a: ['2', '3'], z: ['1'] },
          uid: '1',
        }),
        review({ nonResourceAttributes: { path: '/logs/x', verb: 'get' } }),
      ]);
    });
  }

  const statuses: readonly (readonly [object, object])[] = [
    [
      { allowed: true, reason: 'because' },
      { isAllowed: true, reason: 'because' },
    ],
    [
      { allowed: true, evaluationError: 'partly' },
      { isAllowed: true, reason: '' },
    ],
    [{ allowed: false }, { isAllowed: false, reason: '' }],
    [
      { allowed: false, reason: 'perhaps' },
      { isAllowed: false, reason: 'perhaps' },
    ],
    [
      { allowed: false, denied: true },
      { isAllowed: false, isDenied: true, reason: '' },
    ],
    [
      { allowed: true, denied: true, reason: 'odd' },
      {
        isAllowed: false,
        isDenied: true,
        reason: 'odd',
        error: 'webhook subject access review returned both allow and deny response',
      },
    ],
  ];
  for (const [status, decision] of statuses) {
    it(`takes ${JSON.stringify(status)}`, async () => {
      const bench = new Bench();
      bench.answer = () => bench.review(status);
      expect(await bench.ask(resource)).to.deep.equal(decision);
      // From memory as well.
      expect(await bench.ask(resource)).to.deep.equal(decision);
      expect(bench.sent).to.have.length(1);
    });
  }

  const wrongs: readonly (readonly [string, RegExp])[] = [
    ['hi', /^couldn't get version\/kind; json parse error: json: cannot unmarshal string into Go value/],
    ['{', /^couldn't get version\/kind; json parse error: /],
    [`{"kind":"Other","apiVersion":"${group}/v1"}`, /^no kind "Other" is registered for version/],
    [
      `{"kind":"SubjectAccessReview","apiVersion":"${group}/v1beta1"}`,
      /^converting \(v1beta1.SubjectAccessReview\) to \(v1.SubjectAccessReview\): unknown conversion$/,
    ],
    ['{"kind":"Status","apiVersion":"v1","status":"Failure","message":"who are you"}', /^who are you$/],
    [
      `{"kind":"SubjectAccessReview","apiVersion":"${group}/v1","status":{"allowed":"yes"}}`,
      /ReadBool|cannot unmarshal/,
    ],
  ];
  for (const [answer, text] of wrongs) {
    it(`does not take ${answer}, and does not remember it`, async () => {
      const bench = new Bench();
      bench.answer = () => answer;
      const decision = await bench.ask(resource);
      expect(decision).to.deep.include({ isAllowed: false, reason: '' });
      expect(decision.isDenied).to.equal(undefined);
      expect(decision.error).to.match(text);
      expect(bench.logger.lines.map(({ message }) => message)).to.deep.equal([
        'authorization webhook failed',
      ]);
      await bench.ask(resource);
      expect(bench.sent).to.have.length(2);
    });
  }

  it('asks again when an answer is too old: refusals age faster', async () => {
    const bench = new Bench();
    await bench.ask('/yes');
    bench.answer = () => bench.review({ allowed: false });
    await bench.ask('/no');
    const count = async (): Promise<number> => {
      bench.sent.length = 0;
      await bench.ask('/yes');
      await bench.ask('/no');
      return bench.sent.length;
    };
    bench.clock.advance(1999);
    expect(await count()).to.equal(0);
    bench.clock.advance(1);
    expect(await count()).to.equal(1);
    bench.clock.advance(1000);
    expect(await count()).to.equal(1);
  });

  it('remembers nothing that clients make long', async () => {
    const bench = new Bench();
    const long = `/${'x'.repeat(9994)}`; // with the verb, 9,998 bytes
    await bench.ask(long);
    await bench.ask(long);
    expect(bench.sent).to.have.length(1);
    await bench.ask(`${long}yz`);
    await bench.ask(`${long}yz`);
    expect(bench.sent).to.have.length(3);
  });

  it('tells users apart', async () => {
    const bench = new Bench();
    const others: Partial<UserInfo>[] = [{ name: 'bob' }, { uid: '2' }, { groups: [] }, { extra: {} }, {}];
    for (const other of others) await bench.ask('/x', { ...alice, ...other });
    expect(bench.sent).to.have.length(others.length);
  });

  it('fails with whoever does not wait any more', async () => {
    const call = () => Promise.reject(new CalloutError('late'));
    const bench = new Bench({ caller: { call } });
    const question: AuthorizationQuestion = {
      user: alice,
      request: makeExchange({ method: 'GET', url: '/x' }).info,
      asker: { signal: AbortSignal.abort(new Error('gone')) },
    };
    const failure = await Promise.resolve(bench.webhook.authorize(question)).catch((error: Error) => error);
    expect(failure).to.have.property('message', 'gone');
    expect(bench.logger.lines).to.deep.equal([]);
  });

  it('does not list what it would allow', () => {
    expect(new Bench().webhook.rulesFor(alice, 'n')).to.deep.equal({
      resourceRules: [],
      nonResourceRules: [],
      isIncomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });
  });
});
