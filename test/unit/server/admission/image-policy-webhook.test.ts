import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { AdmissionAttributes } from '../../../../src/registry/index.ts';
import { ImagePolicyWebhook } from '../../../../src/server/admission/index.ts';
import { CalloutError } from '../../../../src/server/callouts/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { pod, run, write } from './fixtures.ts';

const prefix = 'imagepolicywebhook.image-policy.orch.io/';
const settings = { allowTtlMs: 3000, denyTtlMs: 2000, retryBackoffMs: 0, defaultAllow: false };

/** A webhook that answers as told, what it was sent, and what was noted for the audit log. */
class Bench {
  readonly clock = new ManualClock();
  readonly sent: Record<string, unknown>[] = [];
  readonly notes: Record<string, string> = {};
  status: object | Error = { allowed: true };
  readonly #plugin: ImagePolicyWebhook;

  constructor(given: Partial<typeof settings> = {}) {
    const call = async ({ body }: { readonly body: string | Buffer }) => {
      this.sent.push(JSON.parse(body.toString()));
      if (this.status instanceof Error) throw this.status;
      const { status } = this;
      const review = { kind: 'ImageReview', apiVersion: 'imagepolicy.orch.io/v1alpha1', status };
      return { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(review)) };
    };
    this.#plugin = new ImagePolicyWebhook({
      settings: { ...settings, ...given },
      caller: { call },
      callee: () => ({ url: 'https://hook' }),
      dialect: orchDialect,
      catalog: createTypeCatalog(orchDialect),
      clock: this.clock,
      logger: createRecordingLogger(),
      random: () => 0,
    });
  }

  /** The refusal's message; 'ok' without. */
  async write(object = pod(), more: Partial<AdmissionAttributes> = {}): Promise<string> {
    const request = {
      fieldManager: '',
      signal: new AbortController().signal,
      deadlineMs: 0,
      hasAsked: false,
      warn() {},
      annotate: (key: string, value: string) => {
        this.notes[key] = value;
      },
    };
    const status = await run(write({ object, request, ...more }), {
      plugins: ['ImagePolicyWebhook'],
      options: { more: [this.#plugin] },
    });
    if (status !== undefined) expect(status).to.include({ code: 403, reason: 'Forbidden' });
    return status?.message ?? 'ok';
  }
}

describe('ImagePolicyWebhook', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });

  it('shows images of all containers and annotations that are meant for it', async () => {
    const containers = [{ name: 'a', image: 'one', resources: {} }];
    const initContainers = [
      { name: 'b', image: 'two', resources: {} },
      { name: 'c', resources: {} },
    ];
    const annotations = { 'b.image-policy.orch.io/x': '2', 'a.image-policy.orch.io/x': '1', other: '3' };
    await bench.write(pod({ containers, initContainers }, { name: 'p', namespace: 'default', annotations }));
    expect(bench.sent).to.deep.equal([
      {
        kind: 'ImageReview',
        apiVersion: 'imagepolicy.orch.io/v1alpha1',
        metadata: { creationTimestamp: null },
        spec: {
          containers: [{ image: 'one' }, { image: 'two' }, {}],
          annotations: { 'a.image-policy.orch.io/x': '1', 'b.image-policy.orch.io/x': '2' },
          namespace: 'default',
        },
        status: { allowed: false },
      },
    ]);
  });

  const answers: readonly (readonly [object, string])[] = [
    [{ allowed: true, reason: 'why not' }, 'ok'],
    [
      { allowed: false, reason: 'too old' },
      'pods "p" is forbidden: image policy webook backend denied one or more images: too old',
    ],
    [{ allowed: false }, 'pods "p" is forbidden: one or more images rejected by webhook backend'],
    [{}, 'pods "p" is forbidden: one or more images rejected by webhook backend'],
  ];
  for (const [status, outcome] of answers) {
    it(`decides as told: ${JSON.stringify(status)}`, async () => {
      bench.status = status;
      expect(await bench.write()).to.equal(outcome);
      // The second time from memory.
      expect(await bench.write()).to.equal(outcome);
      expect(bench.sent.length).to.equal(1);
    });
  }

  it('believes an answer for as long as its kind counts', async () => {
    await bench.write();
    bench.clock.advance(2999);
    await bench.write();
    expect(bench.sent.length).to.equal(1);
    bench.clock.advance(1);
    bench.status = { allowed: false };
    await bench.write();
    bench.clock.advance(1999);
    await bench.write();
    expect(bench.sent.length).to.equal(2);
    bench.clock.advance(1);
    await bench.write();
    expect(bench.sent.length).to.equal(3);
  });

  it('remembers nothing where that is turned off, and no long questions', async () => {
    const forgetful = new Bench({ allowTtlMs: 0 });
    await forgetful.write();
    await forgetful.write();
    expect(forgetful.sent.length).to.equal(2);
    const long = pod({ containers: [{ name: 'c', image: 'i'.repeat(10_000), resources: {} }] });
    await bench.write(long);
    await bench.write(long);
    expect(bench.sent.length).to.equal(2);
  });

  it('is asked about new and changed pods, not about their subresources or other objects', async () => {
    await bench.write(pod(), { subresource: 'status' });
    await bench.write(pod(), { resource: { group: '', resource: 'podtemplates' } });
    expect(bench.sent.length).to.equal(0);
    await bench.write(pod(), { operation: 'UPDATE', oldObject: pod() });
    expect(bench.sent.length).to.equal(1);
  });

  it('keeps pods out when it gives no answer', async () => {
    bench.status = new CalloutError('Post "https://hook": EOF');
    expect(await bench.write()).to.equal('pods "p" is forbidden: Post "https://hook": EOF');
    expect(bench.notes).to.deep.equal({});
  });

  it('lets them in where the operator says so, which is noted', async () => {
    bench = new Bench({ defaultAllow: true });
    bench.status = new CalloutError('Post "https://hook": EOF');
    expect(await bench.write()).to.equal('ok');
    expect(bench.notes).to.deep.equal({ [`${prefix}failed-open`]: 'true' });
    bench.status = { allowed: false };
    expect(await bench.write()).to.contain('rejected');
  });

  it('is asked up to five times while it may only be busy', async () => {
    bench.status = new CalloutError('later', { isTransient: true });
    const outcome = bench.write();
    for (let turn = 0; turn < 100; turn++) {
      await Promise.resolve();
      bench.clock.advance(0);
    }
    expect(await outcome).to.contain('later');
    expect(bench.sent.length).to.equal(5);
  });

  it('notes what the answer has for the audit log, whatever it decides', async () => {
    bench.status = { allowed: false, auditAnnotations: { rule: '7', 'not a name': 'x' } };
    await bench.write();
    expect(bench.notes).to.deep.equal({ [`${prefix}rule`]: '7' });
  });
});
