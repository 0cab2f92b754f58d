import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { ApiClient } from '../../../support/api-client.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';
import {
  configurationsPath,
  reviewAnswer,
  webhookConfiguration,
} from '../../../support/webhook-configurations.ts';
import { type ReceivedCall, WebhookServer } from '../../../support/webhook-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } });
const chunk = Buffer.alloc(1024 * 1024, ' ');

/** Goes on sending for as long as anybody takes it. */
function flood(response: ServerResponse, megabytes: number): void {
  let left = megabytes;
  const more = (): void => {
    while (left-- > 0 && !response.destroyed)
      if (!response.write(chunk)) return void response.once('drain', more);
    response.end();
  };
  more();
}

const review = (call: ReceivedCall, more: object): string =>
  JSON.stringify({ ...JSON.parse(reviewAnswer(call, { allowed: true })), ...more });

/** How webhooks misbehave, and what the client is told of it; those that are waited for in vain have a short time. */
const faults: readonly (readonly [
  name: string,
  answer: (call: ReceivedCall, response: ServerResponse) => void,
  message: RegExp,
  timeoutSeconds?: number,
])[] = [
  ['does not answer', () => {}, /timeout=1s": context deadline exceeded$/, 1],
  [
    'answers half and waits',
    (_call, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"kind":');
    },
    /context deadline exceeded$/,
    1,
  ],
  [
    'answers half and closes',
    (_call, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"kind":', () => response.destroy());
    },
    /unexpected error when reading response body. Please retry. Original error: unexpected EOF$/,
  ],
  ['closes early', (_call, response) => void response.destroy(), /EOF$/],
  [
    'answers nonsense',
    (_call, response) => void response.end('hello'),
    /couldn't get version\/kind; json parse error/,
  ],
  [
    'answers nothing',
    (_call, response) => void response.end(),
    /0-length response with status code: 200 and content type: application\/json$/,
  ],
  ['answers null', (_call, response) => void response.end('null'), /webhook response was absent$/],
  [
    'names no media type',
    (call, response) => void response.setHeader('content-type', ';;;').end(review(call, {})),
    /Internal error occurred: mime: no media type$/,
  ],
  [
    'sends 500 MB',
    (_call, response) => flood(response, 500),
    /response body too large: more than 16777216 bytes$/,
  ],
  [
    'answers another request',
    (call, response) => void response.end(review(call, { response: { uid: 'other', allowed: true } })),
    /expected response.uid="[0-9a-f-]+", got "other"$/,
  ],
  [
    'answers in a version that nobody knows',
    (call, response) => void response.end(review(call, { apiVersion: 'admission.orch.io/v2' })),
    /no kind "AdmissionReview" is registered for version "admission.orch.io\/v2" in scheme "orch.io\/apiserver\/pkg\/util\/webhook\/client.go:71"$/,
  ],
  [
    'answers with a pod',
    (call, response) => void response.end(review(call, { apiVersion: 'v1', kind: 'Pod' })),
    /no kind "Pod" is registered for version "v1" in scheme "orch.io\/apiserver\/pkg\/util\/webhook\/client.go:71"$/,
  ],
  [
    'answers with a status',
    (call, response) => void response.end(review(call, { apiVersion: 'v1', kind: 'Status' })),
    /converting \(v1.Status\) to \(v1.AdmissionReview\): unknown conversion$/,
  ],
  [
    'answers in another version',
    (call, response) => void response.end(review(call, { apiVersion: 'admission.orch.io/v1beta1' })),
    /converting \(v1beta1.AdmissionReview\) to \(v1.AdmissionReview\): unknown conversion$/,
  ],
  [
    'redirects to another host',
    (_call, response) => void response.writeHead(302, { location: 'https://example.com/' }).end(),
    /redirect to another host refused/,
  ],
  ['fails', (_call, response) => void response.writeHead(500).end('broken'), /on the server/],
];

describe('failures of admission webhooks', () => {
  let server: TestServer;
  let admin: ApiClient;
  let hooks: WebhookServer;

  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    hooks = await WebhookServer.start(() => {});
  });
  after(async () => {
    await server.stop();
    await hooks[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    for (const kind of ['Mutating', 'Validating'] as const)
      await admin.expect('DELETE', configurationsPath(kind));
    await admin.expect('DELETE', configMaps);
  });

  const configure = (kind: 'Mutating' | 'Validating', webhook: object) =>
    admin.create(
      configurationsPath(kind),
      webhookConfiguration({ kind }, hooks, [{ timeoutSeconds: 30, ...webhook }]),
    );

  for (const [name, answer, message, timeoutSeconds = 30] of faults) {
    for (const kind of ['Mutating', 'Validating'] as const) {
      it(`cost the request of one that ${name} (${kind})`, async () => {
        hooks.answer = answer;
        await configure(kind, { timeoutSeconds, objectSelector: {} });
        const { code, body } = await admin.send('POST', configMaps, { body: configMap('a') });
        expect([code, body.reason]).to.deep.equal([500, 'InternalError']);
        expect(body.message).to.match(
          /^Internal error occurred: failed calling webhook "hook0.example.com": /,
        );
        expect(body.message).to.match(message);
        expect((await admin.get(`${configMaps}/a`)).code).to.equal(404);
      });
    }

    it(`are passed over where the configuration says so, of one that ${name}`, async () => {
      hooks.answer = answer;
      await configure('Mutating', { timeoutSeconds, failurePolicy: 'Ignore' });
      await admin.create(configMaps, configMap('a'));
    });
  }

  it('do not keep other requests waiting', async () => {
    const waiting: ServerResponse[] = [];
    hooks.answer = (_call, response) => void waiting.push(response);
    await configure('Mutating', { objectSelector: { matchLabels: { slow: 'yes' } } });
    const labelled = { ...configMap('slow'), metadata: { name: 'slow', labels: { slow: 'yes' } } };
    const slow = admin.send('POST', configMaps, { body: labelled });
    await admin.create(configMaps, configMap('quick'));
    expect((await admin.get(`${configMaps}/quick`)).code).to.equal(200);
    hooks.answer = () => {};
    while (waiting.length === 0) await new Promise(setImmediate);
    for (const response of waiting) response.destroy();
    expect((await slow).code).to.equal(500);
  });

  it('end with the time that the client gives', async () => {
    hooks.answer = () => {};
    await configure('Mutating', { failurePolicy: 'Ignore' });
    const { code, body } = await admin.send('POST', `${configMaps}?timeout=1s`, { body: configMap('a') });
    expect([code, body.reason]).to.deep.equal([504, 'Timeout']);
  });

  const patches: readonly (readonly [patch: readonly object[] | string, message: string])[] = [
    [[{ op: 'put', path: '/data' }], 'Unexpected kind: put'],
    [
      [{ op: 'replace', path: '/spec/none', value: 1 }],
      'replace operation does not apply: doc is missing path: /spec/none: missing value',
    ],
    [[{ op: 'test', path: '/kind', value: 'x' }], 'testing value /kind failed: test failed'],
    [
      [{ op: 'replace', path: '/apiVersion', value: 'x/v1' }],
      'no kind "ConfigMap" is registered for version "x/v1"',
    ],
    [
      [{ op: 'replace', path: '/kind', value: 5 }],
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
    [[{ op: 'replace', path: '/apiVersion', value: 'a/b/c' }], 'unexpected GroupVersion string: a/b/c'],
  ];
  for (const [patch, message] of patches) {
    it(`cost the request of one whose patch is ${JSON.stringify(patch)}`, async () => {
      hooks.answer = (call, response) =>
        response.end(reviewAnswer(call, { allowed: true, patch: patch as readonly object[] }));
      await configure('Mutating', { failurePolicy: 'Ignore' });
      const { code, body } = await admin.send('POST', configMaps, { body: configMap('a') });
      expect(code).to.equal(500);
      expect(body.message).to.contain(`Internal error occurred: ${message}`);
    });
  }

  it('cost the request of one whose patch makes another kind of the object', async () => {
    const patch = [{ op: 'replace', path: '/kind', value: 'Pod' }];
    hooks.answer = (call, response) => response.end(reviewAnswer(call, { allowed: true, patch }));
    await configure('Mutating', {});
    const { body } = await admin.send('POST', configMaps, { body: configMap('a') });
    expect([body.code, body.reason]).to.deep.equal([500, undefined]);
    expect(body.message).to.equal('converting (v1.Pod) to (core.ConfigMap): unknown conversion');
  });

  it('cost a deletion that somebody wants to patch', async () => {
    await admin.create(configMaps, configMap('a'));
    hooks.answer = (call, response) =>
      response.end(reviewAnswer(call, { allowed: true, patch: [{ op: 'add', path: '/data', value: {} }] }));
    await configure('Mutating', {});
    const { body } = await admin.send('DELETE', `${configMaps}/a`);
    await admin.expect('DELETE', `${configurationsPath('Mutating')}/hooks`);
    expect(body.message).to.contain(
      'attempted to modify the object, which is not supported for this operation',
    );
  });
});
