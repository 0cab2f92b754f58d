import { assert } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { applyAs, ownersOf, patchTypes } from '../../support/applier.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const at = (name: string): string => `${maps}/${name}`;

describe('applying configurations', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    directory = await makeTemporaryDirectory();
    server = await startTestServer({ flags: [`--data-dir=${directory.path}`] });
    admin = server.admin;
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  const apply = (manager: string, object: JsonObject, options: Record<string, string> = {}) =>
    applyAs(admin, manager, at(object.metadata.name), object, options);
  /** Applies what must succeed. */
  const applied = async (...args: Parameters<typeof apply>): Promise<JsonObject> => {
    const { code, body, text } = await apply(...args);
    assert.include([200, 201], code, text);
    return body;
  };
  const read = async (name: string): Promise<JsonObject> => admin.expect('GET', at(name));

  describe('one after another', () => {
    it('creates, changes, and leaves alone what is as it should be', async () => {
      const first = await apply('m', configMap('life', { k: '1' }));
      assert.equal(first.code, 201);
      assert.deepEqual(ownersOf(first.body), ['m Apply v1: data.k']);
      const same = await apply('m', configMap('life', { k: '1' }));
      assert.equal(same.code, 200);
      assert.deepEqual(same.body, first.body);
      const changed = await applied('m', configMap('life', { k: '2' }));
      assert.deepEqual(changed.data, { k: '2' });
      assert.notEqual(changed.metadata.resourceVersion, first.body.metadata.resourceVersion);
      assert.deepEqual(await read('life'), changed);
    });

    it('tells watchers of a change, and of nothing else', async () => {
      await applied('m', configMap('seen', { k: '1' }));
      const watch = await admin.watch(maps, { fieldSelector: 'metadata.name=seen' });
      await applied('m', configMap('seen', { k: '1' }));
      await apply('m', configMap('seen', { k: '2' }), { dryRun: 'All' });
      const last = await applied('m', configMap('seen', { k: '3' }));
      const [, event] = await watch.take(2);
      assert.equal(event?.type, 'MODIFIED');
      assert.deepEqual(event?.object, last);
      watch.close();
    });

    it('shares a field among those who agree, and removes it with the last of them', async () => {
      await applied('a', configMap('shared', { k: '1', own: '1' }));
      assert.deepEqual(ownersOf(await applied('b', configMap('shared', { k: '1' }))), [
        'a Apply v1: data.k data.own',
        'b Apply v1: data.k',
      ]);
      const left = await applied('a', configMap('shared', { own: '1' }));
      assert.deepEqual(left.data, { k: '1', own: '1' });
      const gone = await applied('b', configMap('shared', {}, { labels: { l: 'x' } }));
      assert.deepEqual(gone.data, { own: '1' });
      assert.deepEqual(ownersOf(gone), ['a Apply v1: data.own', 'b Apply v1: metadata.labels.l']);
    });

    it('names every conflict, and takes over by force', async () => {
      await applied('a', configMap('fought', { k: '1', l: '1', rest: '1' }));
      const contentType = patchTypes.merge;
      await admin.expect('PATCH', `${at('fought')}?fieldManager=u`, {
        body: { data: { l: '2' } },
        contentType,
      });
      const wanted = configMap('fought', { k: '9', l: '9' });
      const refused = await apply('b', wanted);
      assert.equal(refused.code, 409);
      assert.equal(
        refused.body.message,
        'Apply failed with 2 conflicts: conflicts with "a":\n- .data.k\nconflicts with "u" using v1:\n- .data.l',
      );
      assert.deepEqual(refused.body.details.causes, [
        { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.k' },
        { reason: 'FieldManagerConflict', message: 'conflict with "u" using v1', field: '.data.l' },
      ]);
      assert.deepEqual((await read('fought')).data, { k: '1', l: '2', rest: '1' });
      const forced = await applied('b', wanted, { force: 'true' });
      assert.deepEqual(forced.data, { k: '9', l: '9', rest: '1' });
      assert.deepEqual(ownersOf(forced), ['a Apply v1: data.rest', 'b Apply v1: data.k data.l']);
    });

    it('hands a field over without ever losing it', async () => {
      await applied('old', configMap('handed', { k: '1', other: '1' }));
      await applied('new', configMap('handed', { k: '1' }));
      await applied('old', configMap('handed', { other: '1' }));
      const object = await applied('new', configMap('handed', { k: '2' }));
      assert.deepEqual(object.data, { k: '2', other: '1' });
      assert.deepEqual(ownersOf(object), ['new Apply v1: data.k', 'old Apply v1: data.other']);
    });

    it('lets an update take a field from an applier, who then finds the conflict', async () => {
      await applied('m', configMap('updated', { k: '1' }));
      const object = { ...(await read('updated')), data: { k: '2' } };
      const updated = await admin.expect('PUT', `${at('updated')}?fieldManager=u`, { body: object });
      assert.deepEqual(ownersOf(updated), ['u Update v1: data.k']);
      const { code, body } = await apply('m', configMap('updated', { k: '1' }));
      assert.equal(code, 409);
      assert.equal(body.message, 'Apply failed with 1 conflict: conflict with "u" using v1: .data.k');
    });

    it('reads YAML as well as JSON', async () => {
      const text =
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata:\n  text: |\n    two\n    lines\n';
      const { code, body } = await applyAs(admin, 'm', at('yaml'), text);
      assert.equal(code, 201);
      assert.deepEqual(body.data, { text: 'two\nlines\n' });
      const same = await apply('m', configMap('yaml', { text: 'two\nlines\n' }));
      assert.equal(same.body.metadata.resourceVersion, body.metadata.resourceVersion);
    });
  });

  describe('without writing', () => {
    it('shows what a creation would give', async () => {
      const { code, body } = await apply('m', configMap('rehearsed', { k: '1' }), { dryRun: 'All' });
      assert.equal(code, 201);
      assert.deepEqual(ownersOf(body), ['m Apply v1: data.k']);
      assert.equal((await admin.get(at('rehearsed'))).code, 404);
    });

    it('shows what a change would give, conflicts included', async () => {
      const before = await applied('m', configMap('kept', { k: '1' }));
      const shown = await applied('m', configMap('kept', { k: '2' }), { dryRun: 'All' });
      assert.deepEqual(shown.data, { k: '2' });
      assert.equal((await apply('x', configMap('kept', { k: '2' }), { dryRun: 'All' })).code, 409);
      assert.deepEqual(await read('kept'), before);
    });
  });

  describe('under conditions', () => {
    it('goes by the version that the client saw', async () => {
      const { metadata } = await applied('m', configMap('versioned', { k: '1' }));
      const { resourceVersion } = metadata;
      const second = await applied('m', configMap('versioned', { k: '2' }, { resourceVersion }));
      for (const value of ['2', '3']) {
        const { code, body } = await apply('m', configMap('versioned', { k: value }, { resourceVersion }));
        assert.equal(code, 409);
        assert.equal(
          body.message,
          'Operation cannot be fulfilled on configmaps "versioned": the object has been modified; ' +
            'please apply your changes to the latest version and try again',
        );
      }
      assert.deepEqual(await read('versioned'), second);
    });

    it('creates nothing that should have a uid already', async () => {
      const { code, body } = await apply('m', configMap('ghost', {}, { uid: 'no-such-uid' }));
      assert.equal(code, 409);
      assert.equal(body.reason, 'Conflict');
      assert.equal(
        body.message,
        'Operation cannot be fulfilled on configmaps "ghost": uid mismatch: the provided object specified ' +
          'uid no-such-uid, and no existing object was found',
      );
      assert.equal((await admin.get(at('ghost'))).code, 404);
    });

    it('creates by PUT nothing that should have a uid already', async () => {
      const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases';
      const body = { metadata: { name: 'ghost', uid: 'no-such-uid' }, spec: {} };
      const answer = await admin.send('PUT', `${leases}/ghost`, { body });
      assert.equal(answer.code, 409);
      assert.match(
        answer.body.message,
        /Precondition failed: UID in precondition: no-such-uid, UID in object/,
      );
      assert.equal((await admin.get(`${leases}/ghost`)).code, 404);
    });

    it('changes only the object with that uid', async () => {
      const { metadata } = await applied('m', configMap('known', { k: '1' }));
      assert.equal((await apply('m', configMap('known', { k: '2' }, { uid: metadata.uid }))).code, 200);
      assert.equal((await apply('m', configMap('known', { k: '3' }, { uid: 'other' }))).code, 422);
      assert.deepEqual((await read('known')).data, { k: '2' });
    });

    it('still works on objects under deletion, and can let them go', async () => {
      const finalizers = ['example.com/a'];
      await applied('m', configMap('leaving', { k: '1' }, { finalizers }));
      await admin.expect('DELETE', at('leaving'));
      const changed = await applied('m', configMap('leaving', { k: '2' }, { finalizers }));
      assert.deepEqual(changed.data, { k: '2' });
      assert.isString(changed.metadata.deletionTimestamp);
      const more = configMap('leaving', { k: '2' }, { finalizers: [...finalizers, 'example.com/b'] });
      const { code, body } = await apply('m', more);
      assert.equal(code, 422);
      assert.match(body.message, /no new finalizers can be added if the object is being deleted/);
      assert.equal((await apply('m', configMap('leaving', { k: '2' }))).code, 200);
      assert.equal((await admin.get(at('leaving'))).code, 404);
      assert.equal((await apply('m', configMap('leaving', { k: '1' }))).code, 201);
    });
  });

  describe('when it cannot be', () => {
    const good = configMap('refused', { k: '1' });
    const cases: [
      what: string,
      options: Record<string, string>,
      object: JsonObject,
      code: number,
      message: RegExp,
    ][] = [
      [
        'nobody is named',
        { fieldManager: '' },
        good,
        422,
        /fieldManager: Required value: is required for apply/,
      ],
      ['the name is too long', { fieldManager: 'm'.repeat(129) }, good, 422, /fieldManager: Too long/],
      ['the name cannot be printed', { fieldManager: 'a\u0007' }, good, 422, /invalid character U\+0007/],
      ['a stage is not known', { dryRun: 'Some' }, good, 422, /dryRun: Unsupported value/],
      [
        'owners are in it',
        {},
        configMap('refused', {}, { managedFields: [{}] }),
        400,
        /managedFields must be nil/,
      ],
      ['another object is meant', {}, configMap('other'), 400, /name of the object \(other\) does not match/],
      [
        'another namespace is meant',
        {},
        configMap('refused', {}, { namespace: 'elsewhere' }),
        400,
        /namespace of the object \(elsewhere\) does not match/,
      ],
      ['it has no name', {}, { ...good, metadata: { generateName: 'r' } }, 400, /name must be provided/],
      ['it is of another version', {}, { ...good, apiVersion: 'v2' }, 400, /expected: v1$/],
      ['a field is not known', {}, { ...good, spec: {} }, 500, /: \.spec: field not declared in schema$/],
      ['a value is not valid', {}, configMap('refused', { 'a b': '1' }), 422, /data\[a b\]: Invalid value/],
    ];
    for (const [what, options, object, code, message] of cases) {
      it(`says so: ${what}`, async () => {
        const answer = await applyAs(admin, 'm', at('refused'), object, options);
        assert.equal(answer.code, code, answer.text);
        assert.match(answer.body.message, message);
        assert.equal((await admin.get(at('refused'))).code, 404);
      });
    }

    it('says so: the namespace is not there', async () => {
      const path = `${inNamespace('nowhere', 'configmaps')}/refused`;
      const { code, body } = await applyAs(admin, 'm', path, good);
      assert.equal(code, 404);
      assert.equal(body.message, 'namespaces "nowhere" not found');
    });

    for (const type of ['json', 'merge', 'strategic'] as const) {
      it(`says so: a ${type} patch asks for force`, async () => {
        const request = { body: type === 'json' ? [] : {}, contentType: patchTypes[type] };
        const { code, body } = await admin.send('PATCH', `${at('refused')}?force=true`, request);
        assert.equal(code, 422);
        assert.match(body.message, /force: Forbidden: may not be specified for non-apply patch/);
      });
    }
  });

  describe('at the same time', () => {
    const managers = ['a', 'b', 'c', 'd', 'e'];

    it('creates once, and merges the rest', async () => {
      const answers = await Promise.all(
        managers.map((manager) => apply(manager, configMap('raced', { [manager]: '1' }))),
      );
      assert.deepEqual(
        answers.map(({ code }) => code).sort(),
        [200, 200, 200, 200, 201],
        answers.map(({ text }) => text).join(),
      );
      const object = await read('raced');
      assert.deepEqual(object.data, { a: '1', b: '1', c: '1', d: '1', e: '1' });
      assert.deepEqual(
        ownersOf(object),
        managers.map((manager) => `${manager} Apply v1: data.${manager}`),
      );
    });

    it('lets one win a field, and tells the others', async () => {
      const answers = await Promise.all(
        managers.map((manager) => apply(manager, configMap('contested', { k: manager }))),
      );
      assert.deepEqual(answers.map(({ code }) => code).sort(), [201, 409, 409, 409, 409]);
      const winner = (await read('contested')).data.k;
      assert.deepEqual(ownersOf(await read('contested')), [`${winner} Apply v1: data.k`]);
      for (const { code, body } of answers) {
        if (code === 409) assert.include(body.message, `conflict with "${winner}": .data.k`);
      }
    });

    it('patches again what others changed meanwhile', async () => {
      await applied('m', configMap('busy', { k: '1' }));
      const answers = await Promise.all(
        managers.map((manager) =>
          admin.send('PATCH', `${at('busy')}?fieldManager=${manager}`, {
            body: { data: { [manager]: '1' } },
            contentType: patchTypes.merge,
          }),
        ),
      );
      assert.deepEqual(
        answers.map(({ code }) => code),
        managers.map(() => 200),
      );
      assert.deepEqual(ownersOf(await read('busy')), [
        'm Apply v1: data.k',
        ...managers.map((manager) => `${manager} Update v1: data.${manager}`),
      ]);
    });
  });
});
