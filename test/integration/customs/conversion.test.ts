import { expect } from 'chai';
import { asJsonObject, parseExact, rawNumber } from '../../../src/base/index.ts';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import {
  definitionsPath,
  establish,
  openVersion,
  widget,
  widgetDefinition,
} from '../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { type AnswerCall, WebhookServer } from '../../support/webhook-server.ts';

/** `spec.size` of v1 is `spec.length` of v2. */
function converted(object: JsonObject, desiredAPIVersion: string): JsonObject {
  const { size, length, ...rest } = object.spec ?? {};
  const value = size ?? length;
  const name = desiredAPIVersion.endsWith('v2') ? 'length' : 'size';
  return { ...object, apiVersion: desiredAPIVersion, spec: { ...rest, [name]: value } };
}

const convert: AnswerCall = ({ body }, response) => {
  // Digits are kept, as a webhook written in Go does.
  const { apiVersion, kind, request } = asJsonObject(parseExact(body)) as JsonObject;
  const convertedObjects = request.objects.map((object: JsonObject) =>
    converted(object, request.desiredAPIVersion),
  );
  const answer = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
  response
    .setHeader('Content-Type', 'application/json')
    .end(JSON.stringify({ apiVersion, kind, response: answer }));
};

/** Each version knows its own field only, up to 100. */
const schemaOf = (field: string): JsonObject => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { [field]: { type: 'integer', maximum: 100 }, exact: { type: 'integer' } },
      },
    },
  },
});

for (const reviewVersion of ['v1', 'v1beta1']) {
  describe(`objects that a webhook converts, by reviews of ${reviewVersion}`, () => {
    const group = 'converted.example.com';
    const name = `widgets.${group}`;
    const pathOf = (version: string) => `/apis/${group}/${version}/namespaces/default/widgets`;
    const inV2 = (objectName: string, length: number) =>
      widget(group, objectName, { apiVersion: `${group}/v2`, spec: { length } });
    let server: TestServer;
    let admin: ApiClient;
    let webhook: WebhookServer;
    before(async () => {
      webhook = await WebhookServer.start(convert);
      server = await startTestServer();
      admin = server.admin;
      await establish(
        admin,
        widgetDefinition(group, {
          versions: [
            openVersion('v1', { storage: true, schema: schemaOf('size') }),
            openVersion('v2', { storage: false, schema: schemaOf('length') }),
          ],
          conversion: {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: [reviewVersion],
              clientConfig: { url: `${webhook.url}/convert`, caBundle: webhook.caBundle },
            },
          },
        }),
      );
    });
    after(async () => {
      await server.stop();
      await webhook[Symbol.asyncDispose]();
    });
    beforeEach(() => {
      webhook.answer = convert;
      webhook.calls.length = 0;
    });

    it('are written in one version and read in the other', async () => {
      const created = await admin.create(pathOf('v2'), inV2('a', 1));
      expect(created).to.include({ apiVersion: `${group}/v2` });
      expect(created.spec).to.deep.equal({ length: 1 });
      expect((await admin.get(`${pathOf('v1')}/a`)).body.spec).to.deep.equal({ size: 1 });
      expect((await admin.get(`${pathOf('v2')}/a`)).body).to.deep.equal(created);
    });

    it('are patched in the version of the request', async () => {
      await admin.create(pathOf('v1'), widget(group, 'patched', { spec: { size: 1 } }));
      const patched = await admin.expect('PATCH', `${pathOf('v2')}/patched`, {
        contentType: 'application/merge-patch+json',
        body: { spec: { length: 7 } },
      });
      expect(patched.spec).to.deep.equal({ length: 7 });
      expect(patched.metadata.generation).to.equal(2);
      expect((await admin.get(`${pathOf('v1')}/patched`)).body.spec).to.deep.equal({ size: 7 });
    });

    it('keep the digits of large numbers', async () => {
      const digits = '9007199254740993';
      const text = `{"apiVersion":"${group}/v2","kind":"Widget","metadata":{"name":"digits"},"spec":{"length":1,"exact":${digits}}}`;
      expect((await admin.send('POST', pathOf('v2'), { body: text })).code).to.equal(201);
      for (const version of ['v1', 'v2']) {
        const answer = await admin.get(`${pathOf(version)}/digits`);
        expect(answer.text, version).to.include(`"exact":${digits}`);
      }
    });

    it('are checked by the schema of the version of the request', async () => {
      const { code, body } = await admin.send('POST', pathOf('v2'), { body: inV2('long', 101) });
      expect(code).to.equal(422);
      expect(body.message).to.include('spec.length');
    });

    it('are listed by one call, and again by none', async () => {
      for (let at = 0; at < 30; at++)
        await admin.create(pathOf('v1'), widget(group, `listed-${at}`, { spec: { size: at } }));
      webhook.calls.length = 0;
      const list = () => admin.expect('GET', `${pathOf('v2')}?limit=500`);
      const { items } = await list();
      expect(items.every(({ spec }: JsonObject) => typeof spec.length === 'number')).to.equal(true);
      expect(webhook.calls).to.have.length(1);
      expect((await list()).items).to.deep.equal(items);
      expect(webhook.calls).to.have.length(1);
    });

    it('come over watches in order, in the version of the watch', async () => {
      const watch = await admin.watch(pathOf('v2'));
      try {
        for (let at = 0; at < 20; at++)
          await admin.create(pathOf('v1'), widget(group, `watched-${at}`, { spec: { size: at } }));
        await watch.until(() => watch.lines.includes('ADDED watched-19'), 'the last event');
        const seen = watch.lines.filter((line) => line.includes('watched-'));
        expect(seen).to.deep.equal(Array.from({ length: 20 }, (_, at) => `ADDED watched-${at}`));
      } finally {
        watch.close();
      }
    });

    it('come over watches by one call for all that are there, and one for each change, however many watch', async () => {
      const objects = pathOf('v1').replace('default', 'shared');
      const watched = pathOf('v2').replace('default', 'shared');
      const named = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'shared' } };
      await admin.create('/api/v1/namespaces', named);
      for (let at = 0; at < 30; at++)
        await admin.create(objects, widget(group, `there-${at}`, { spec: { size: at } }));
      webhook.calls.length = 0;
      const watches = [await admin.watch(watched)];
      try {
        await watches[0]?.take(30);
        expect(webhook.calls).to.have.length(1);
        watches.push(await admin.watch(watched), await admin.watch(watched));
        for (const watch of watches) await watch.take(30);
        await admin.create(objects, widget(group, 'new', { spec: { size: 1 } }));
        for (const watch of watches)
          await watch.until(() => watch.lines.includes('ADDED new'), 'the new object');
        expect(webhook.calls).to.have.length(2);
      } finally {
        for (const watch of watches) watch.close();
        await admin.expect('DELETE', '/api/v1/namespaces/shared');
      }
    });

    const lies: readonly (readonly [string, (objects: JsonObject[]) => unknown, RegExp])[] = [
      ['drops one', (objects) => objects.slice(1), /returned 2 objects, expected 3/],
      ['adds one', (objects) => [...objects, objects[0]], /returned 4 objects, expected 3/],
      ['changes their order', (objects) => objects.toReversed(), /must have the same name: a != c/],
      [
        'gives another name',
        (objects) => objects.map((each) => ({ ...each, metadata: { ...each.metadata, name: 'other' } })),
        /must have the same name: a != other/,
      ],
      [
        'gives another version',
        (objects) => objects.map((each) => ({ ...each, apiVersion: `${group}/v1` })),
        /invalid groupVersion/,
      ],
      [
        'gives a number beyond all doubles',
        (objects) => objects.map((each) => ({ ...each, spec: { length: rawNumber('1e400') } })),
        /strconv\.ParseFloat: parsing "1e400": value out of range/,
      ],
      ['gives none', () => undefined, /returned 0 objects, expected 3/],
    ];
    for (const [what, lie, message] of lies) {
      it(`are not shown when the webhook ${what}, and are unharmed`, async () => {
        const namespace = `lies-${lies.findIndex(([other]) => other === what)}`;
        const named = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: namespace } };
        await admin.create('/api/v1/namespaces', named);
        const objects = pathOf('v1').replace('default', namespace);
        const other = pathOf('v2').replace('default', namespace);
        for (const object of ['a', 'b', 'c'])
          await admin.create(objects, widget(group, object, { spec: { size: 1 } }));
        webhook.answer = ({ body }, response) => {
          const { apiVersion, kind, request } = JSON.parse(body);
          const all = request.objects.map((each: JsonObject) => converted(each, request.desiredAPIVersion));
          const answer = { uid: request.uid, convertedObjects: lie(all), result: { status: 'Success' } };
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify({ apiVersion, kind, response: answer }));
        };
        const { code, body } = await admin.get(other);
        expect([code, body.message]).to.satisfy(
          ([status, text]: [number, string]) => status === 500 && message.test(text),
          JSON.stringify(body),
        );
        webhook.answer = convert;
        const { items } = await admin.expect('GET', other);
        expect(items.map(({ metadata, spec }: JsonObject) => [metadata.name, spec.length])).to.deep.equal([
          ['a', 1],
          ['b', 1],
          ['c', 1],
        ]);
      });
    }

    it('all stay when a collection is deleted and the webhook fails for one of them', async () => {
      await admin.create('/api/v1/namespaces', { metadata: { name: 'kept' } });
      const inKept = (version: string) => `/apis/${group}/${version}/namespaces/kept/widgets`;
      for (const each of ['a', 'bad', 'c'])
        await admin.create(inKept('v1'), widget(group, each, { spec: { size: 1 } }));
      webhook.answer = (call, response) =>
        call.body.includes('"name":"bad"') ? void response.writeHead(500).end() : convert(call, response);
      expect((await admin.send('DELETE', inKept('v2'))).code).to.equal(500);
      expect((await admin.get(inKept('v1'))).body.items).to.have.length(3);
      webhook.answer = convert;
      const deleted = await admin.expect('DELETE', inKept('v2'));
      expect(deleted.items.map(({ spec }: JsonObject) => spec.length)).to.deep.equal([1, 1, 1]);
      expect((await admin.get(inKept('v1'))).body.items).to.deep.equal([]);
    });

    it('are refused when the webhook refuses, and go on when it is there again', async () => {
      await admin.create(pathOf('v1'), widget(group, 'refused', { spec: { size: 1 } }));
      webhook.answer = (_call, response) => response.destroy();
      const message = `conversion webhook for ${group}/v1, Kind=Widget failed: Post "${webhook.url}/convert?timeout=30s": EOF`;
      for (const method of ['GET', 'DELETE']) {
        const { code, body } = await admin.send(method, `${pathOf('v2')}/refused`);
        expect([code, body.message]).to.deep.equal([500, message]);
      }
      expect((await admin.send('POST', pathOf('v2'), { body: inV2('never', 1) })).code).to.equal(500);
      expect((await admin.get(`${pathOf('v1')}/refused`)).code).to.equal(200);
      expect((await admin.get(`${pathOf('v1')}/never`)).code).to.equal(404);
      webhook.answer = convert;
      expect((await admin.get(`${pathOf('v2')}/refused`)).code).to.equal(200);
    });

    it('are read in every version after another one is stored', async () => {
      await admin.create(pathOf('v1'), widget(group, 'old', { spec: { size: 5 } }));
      const { body: definition } = await admin.get(`${definitionsPath}/${name}`);
      for (const version of definition.spec.versions) version.storage = version.name === 'v2';
      await admin.expect('PUT', `${definitionsPath}/${name}`, { body: definition });
      expect((await admin.get(`${pathOf('v1')}/old`)).body.spec).to.deep.equal({ size: 5 });
      expect((await admin.get(`${pathOf('v2')}/old`)).body.spec).to.deep.equal({ length: 5 });
      const contentType = 'application/merge-patch+json';
      const patched = await admin.expect('PATCH', `${pathOf('v1')}/old`, {
        contentType,
        body: { spec: { size: 6 } },
      });
      expect(patched.spec).to.deep.equal({ size: 6 });
      expect((await admin.get(`${pathOf('v2')}/old`)).body.spec).to.deep.equal({ length: 6 });
    });
  });
}
