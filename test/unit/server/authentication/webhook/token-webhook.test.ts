import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { refusedToken, unknownToken } from '../../../../../src/server/authentication/token-authenticator.ts';
import {
  type TokenWebhookOptions,
  tokenWebhook,
} from '../../../../../src/server/authentication/webhook/token-webhook.ts';
import { CalloutError } from '../../../../../src/server/callouts/index.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { ManualClock } from '../../../storage/manual-clock.ts';

const group = 'authentication.orch.io';
const own = ['api', 'also'];

/** A webhook that answers as told, and what it was sent. */
class Bench {
  readonly clock = new ManualClock();
  readonly logger = createRecordingLogger();
  readonly sent: { spec: { token: string } }[] = [];
  readonly version: 'v1' | 'v1beta1';
  readonly webhook: ReturnType<typeof tokenWebhook>;
  answer: () => object = () => this.review({ authenticated: true, user: { username: 'bob' } });

  constructor(options: Partial<TokenWebhookOptions> = {}) {
    this.version = options.version ?? 'v1';
    this.webhook = tokenWebhook({
      caller: {
        call: async ({ body }) => {
          this.sent.push(JSON.parse(body.toString()));
          const answer = Buffer.from(JSON.stringify(this.answer()));
          return { status: 200, contentType: 'application/json', body: answer };
        },
      },
      callee: () => ({ url: 'https://hook' }),
      version: this.version,
      cacheTtlMs: 0,
      audiences: own,
      dialect: orchDialect,
      catalog: createTypeCatalog(orchDialect),
      clock: this.clock,
      logger: this.logger,
      random: () => 0,
      ...options,
    });
  }

  review(status: object): object {
    return { kind: 'TokenReview', apiVersion: `${group}/${this.version}`, status };
  }

  async ask(token = 'secret-token', audiences: readonly string[] = own) {
    return this.webhook.authenticateToken(token, audiences);
  }
}

const bob = (audiences: readonly string[] = own) => ({
  kind: 'user',
  user: { name: 'bob', uid: '', groups: [], extra: {} },
  audiences,
});
const failing = (message: string) => () => {
  throw new CalloutError(message);
};

describe('tokenWebhook', () => {
  for (const version of ['v1', 'v1beta1'] as const) {
    it(`sends the token and the audiences that are asked for in ${version}`, async () => {
      const bench = new Bench({ version });
      expect(await bench.ask('secret-token', ['x', 'api'])).to.deep.equal(bob(['api']));
      expect(bench.sent).to.deep.equal([
        {
          kind: 'TokenReview',
          apiVersion: `${group}/${version}`,
          metadata: { creationTimestamp: null },
          spec: { token: 'secret-token', audiences: ['x', 'api'] },
          status: { user: {} },
        },
      ]);
    });
  }

  it('takes all that an answer says of the user', async () => {
    const bench = new Bench();
    const user = { username: 'bob', uid: 'u', groups: ['a', 'b'], extra: { k: ['v', 'w'] } };
    bench.answer = () => bench.review({ authenticated: true, user, error: 'hm' });
    const { username: name, ...rest } = user;
    expect(await bench.ask()).to.deep.equal({ kind: 'user', user: { name, ...rest }, audiences: own });
  });

  const user = { username: 'bob' };
  const verdicts: readonly (readonly [string, object, readonly string[], unknown])[] = [
    ['nobody', {}, own, unknownToken],
    ['nobody with a name', { authenticated: false, user }, own, unknownToken],
    ['nobody with a reason', { authenticated: false, error: 'it is old' }, own, refusedToken('it is old')],
    [
      'somebody without a name',
      { authenticated: true },
      own,
      { ...bob(), user: { ...bob().user, name: '' } },
    ],
    ['audiences of the API', { authenticated: true, user }, ['also', 'x'], bob(['also'])],
    ['audiences that are not asked for', { authenticated: true, user }, ['x'], unknownToken],
    ['its own audiences', { authenticated: true, user, audiences: ['x', 'y'] }, ['y', 'api'], bob(['y'])],
    ['other audiences', { authenticated: true, user, audiences: ['x'] }, own, unknownToken],
    ['other audiences, and a reason', { error: 'it is old', audiences: ['x'] }, own, unknownToken],
  ];
  for (const [what, status, audiences, expected] of verdicts) {
    it(`understands ${what}`, async () => {
      const bench = new Bench();
      bench.answer = () => bench.review(status);
      expect(await bench.ask('secret-token', audiences)).to.deep.equal(expected);
    });
  }

  const failures: readonly (readonly [string, () => object, RegExp])[] = [
    ['that fails', failing('Post "https://hook": EOF'), /^Post "https:\/\/hook": EOF$/],
    ['that answers another kind', () => ({ kind: 'Pod', apiVersion: 'v1', spec: {} }), /Pod/],
    [
      'that answers with a failure',
      () => ({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'no' }),
      /^no$/,
    ],
  ];
  for (const [what, answer, message] of failures) {
    it(`refuses the token of a server ${what}, and tells the log without the token`, async () => {
      const bench = new Bench();
      bench.answer = answer;
      const verdict = await bench.ask();
      expect(verdict.kind === 'refused' ? verdict.messages.join() : verdict.kind).to.match(message);
      expect(bench.logger.lines.map((line) => line.message)).to.deep.equal(['token webhook failed']);
      expect(JSON.stringify(bench.logger.lines)).not.to.contain('secret-token');
    });
  }

  it('asks again after a failure, which is not kept', async () => {
    const bench = new Bench({ cacheTtlMs: 60_000 });
    const good = bench.answer;
    bench.answer = failing('no');
    await bench.ask();
    bench.answer = good;
    expect(await bench.ask()).to.deep.equal(bob());
    expect(bench.sent).to.have.length(2);
  });

  it('keeps a user for ten seconds, even where answers are not kept', async () => {
    const bench = new Bench();
    await bench.ask();
    bench.clock.advance(9999);
    expect(await bench.ask()).to.deep.equal(bob());
    expect(bench.sent).to.have.length(1);
    bench.clock.advance(1);
    await bench.ask();
    expect(bench.sent).to.have.length(2);
  });

  it('keeps answers as long as it is told, and users ten seconds from when they were last looked up', async () => {
    const bench = new Bench({ cacheTtlMs: 60_000 });
    const good = bench.answer;
    await bench.ask();
    bench.answer = () => bench.review({ authenticated: false });
    await bench.ask('other');
    bench.clock.advance(59_999);
    expect([(await bench.ask()).kind, (await bench.ask('other')).kind]).to.deep.equal(['user', 'unknown']);
    expect(bench.sent).to.have.length(2);
    bench.clock.advance(1);
    bench.answer = good;
    expect([(await bench.ask()).kind, (await bench.ask('other')).kind]).to.deep.equal(['user', 'user']);
    expect(bench.sent.map(({ spec }) => spec.token)).to.deep.equal(['secret-token', 'other', 'other']);
    bench.clock.advance(10_000);
    await bench.ask();
    expect(bench.sent).to.have.length(4);
  });

  it('keeps answers for the audiences that were asked for', async () => {
    const bench = new Bench();
    await bench.ask('t', ['api']);
    expect(await bench.ask('t', ['also'])).to.deep.equal(bob(['also']));
    expect(bench.sent).to.have.length(2);
  });

  it('asks once for all who want to know at the same time', async () => {
    const bench = new Bench();
    const verdicts = await Promise.all([bench.ask(), bench.ask(), bench.ask('other')]);
    expect(verdicts).to.deep.equal([bob(), bob(), bob()]);
    expect(bench.sent).to.have.length(2);
  });
});
