import { expect } from 'chai';
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
    expect([200, 201], text).to.include(code);
    return body;
  };
  const read = async (name: string): Promise<JsonObject> => admin.expect('GET', at(name));

  describe('one after another', () => {
    it('creates, changes, and leaves alone what is as it should be', async () => {
      const first = await apply('m', configMap('life', { k: '1' }));
      expect(first.code).to.equal(201);
      expect(ownersOf(first.body)).to.deep.equal(['m Apply v1: data.k']);
      const same = await apply('m', configMap('life', { k: '1' }));
      expect(same.code).to.equal(200);
      expect(same.body).to.deep.equal(first.body);
      const changed = await applied('m', configMap('life', { k: '2' }));
      expect(changed.data).to.deep.equal({ k: '2' });
      expect(changed.metadata.resourceVersion).to.not.equal(first.body.metadata.resourceVersion);
      expect(await read('life')).to.deep.equal(changed);
    });

    it('tells watchers of a change, and of nothing else', async () => {
      await applied('m', configMap('seen', { k: '1' }));
      const watch = await admin.watch(maps, { fieldSelector: 'metadata.name=seen' });
      await applied('m', configMap('seen', { k: '1' }));
      await apply('m', configMap('seen', { k: '2' }), { dryRun: 'All' });
      const last = await applied('m', configMap('seen', { k: '3' }));
      const [, event] = await watch.take(2);
      expect(event?.type).to.equal('MODIFIED');
      expect(event?.object).to.deep.equal(last);
      watch.close();
    });

    it('shares a field among those who agree, and removes it with the last of them', async () => {
      await applied('a', configMap('shared', { k: '1', own: '1' }));
      expect(ownersOf(await applied('b', configMap('shared', { k: '1' })))).to.deep.equal([
        'a Apply v1: data.k data.own',
        'b Apply v1: data.k',
      ]);
      const left = await applied('a', configMap('shared', { own: '1' }));
      expect(left.data).to.deep.equal({ k: '1', own: '1' });
      const gone = await applied('b', configMap('shared', {}, { labels: { l: 'x' } }));
      expect(gone.data).to.deep.equal({ own: '1' });
      expect(ownersOf(gone)).to.deep.equal(['a Apply v1: data.own', 'b Apply v1: metadata.labels.l']);
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
      expect(refused.code).to.equal(409);
      expect(refused.body.message).to.equal(
        'Apply failed with 2 conflicts: conflicts with "a":\n- .data.k\nconflicts with "u" using v1:\n- .data.l',
      );
      expect(refused.body.details.causes).to.deep.equal([
        { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.k' },
        { reason: 'FieldManagerConflict', message: 'conflict with "u" using v1', field: '.data.l' },
      ]);
      expect((await read('fought')).data).to.deep.equal({ k: '1', l: '2', rest: '1' });
      const forced = await applied('b', wanted, { force: 'true' });
      expect(forced.data).to.deep.equal({ k: '9', l: '9', rest: '1' });
      expect(ownersOf(forced)).to.deep.equal(['a Apply v1: data.rest', 'b Apply v1: data.k data.l']);
    });

    it('hands a field over without ever losing it', async () => {
      await applied('old', configMap('handed', { k: '1', other: '1' }));
      await applied('new', configMap('handed', { k: '1' }));
      await applied('old', configMap('handed', { other: '1' }));
      const object = await applied('new', configMap('handed', { k: '2' }));
      expect(object.data).to.deep.equal({ k: '2', other: '1' });
      expect(ownersOf(object)).to.deep.equal(['new Apply v1: data.k', 'old Apply v1: data.other']);
    });

    it('lets an update take a field from an applier, who then finds the conflict', async () => {
      await applied('m', configMap('updated', { k: '1' }));
      const object = { ...(await read('updated')), data: { k: '2' } };
      const updated = await admin.expect('PUT', `${at('updated')}?fieldManager=u`, { body: object });
      expect(ownersOf(updated)).to.deep.equal(['u Update v1: data.k']);
      const { code, body } = await apply('m', configMap('updated', { k: '1' }));
      expect(code).to.equal(409);
      expect(body.message).to.equal('Apply failed with 1 conflict: conflict with "u" using v1: .data.k');
    });

    it('reads YAML as well as JSON', async () => {
      const text =
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata:\n  text: |\n    two\n    lines\n';
      const { code, body } = await applyAs(admin, 'm', at('yaml'), text);
      expect(code).to.equal(201);
      expect(body.data).to.deep.equal({ text: 'two\nlines\n' });
      const same = await apply('m', configMap('yaml', { text: 'two\nlines\n' }));
      expect(same.body.metadata.resourceVersion).to.equal(body.metadata.resourceVersion);
    });
  });

  describe('without writing', () => {
    it('shows what a creation would give', async () => {
      const { code, body } = await apply('m', configMap('rehearsed', { k: '1' }), { dryRun: 'All' });
      expect(code).to.equal(201);
      expect(ownersOf(body)).to.deep.equal(['m Apply v1: data.k']);
      expect((await admin.get(at('rehearsed'))).code).to.equal(404);
    });

    it('shows what a change would give, conflicts included', async () => {
      const before = await applied('m', configMap('kept', { k: '1' }));
      const shown = await applied('m', configMap('kept', { k: '2' }), { dryRun: 'All' });
      expect(shown.data).to.deep.equal({ k: '2' });
      expect((await apply('x', configMap('kept', { k: '2' }), { dryRun: 'All' })).code).to.equal(409);
      expect(await read('kept')).to.deep.equal(before);
    });
  });

  describe('under conditions', () => {
    it('goes by the version that the client saw', async () => {
      const { metadata } = await applied('m', configMap('versioned', { k: '1' }));
      const { resourceVersion } = metadata;
      const second = await applied('m', configMap('versioned', { k: '2' }, { resourceVersion }));
      for (const value of ['2', '3']) {
        const { code, body } = await apply('m', configMap('versioned', { k: value }, { resourceVersion }));
        expect(code).to.equal(409);
        expect(body.message).to.equal(
          'Operation cannot be fulfilled on configmaps "versioned": the object has been modified; ' +
            'please apply your changes to the latest version and try again',
        );
      }
      expect(await read('versioned')).to.deep.equal(second);
    });

    it('creates nothing that should have a uid already', async () => {
      const { code, body } = await apply('m', configMap('ghost', {}, { uid: 'no-such-uid' }));
      expect(code).to.equal(409);
      expect(body.reason).to.equal('Conflict');
      expect(body.message).to.equal(
        'Operation cannot be fulfilled on configmaps "ghost": uid mismatch: the provided object specified ' +
          'uid no-such-uid, and no existing object was found',
      );
      expect((await admin.get(at('ghost'))).code).to.equal(404);
    });

    it('creates by PUT nothing that should have a uid already', async () => {
      const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases';
      const body = { metadata: { name: 'ghost', uid: 'no-such-uid' }, spec: {} };
      const answer = await admin.send('PUT', `${leases}/ghost`, { body });
      expect(answer.code).to.equal(409);
      expect(answer.body.message).to.match(
        /Precondition failed: UID in precondition: no-such-uid, UID in object/,
      );
      expect((await admin.get(`${leases}/ghost`)).code).to.equal(404);
    });

    it('changes only the object with that uid', async () => {
      const { metadata } = await applied('m', configMap('known', { k: '1' }));
      expect((await apply('m', configMap('known', { k: '2' }, { uid: metadata.uid }))).code).to.equal(200);
      expect((await apply('m', configMap('known', { k: '3' }, { uid: 'other' }))).code).to.equal(422);
      expect((await read('known')).data).to.deep.equal({ k: '2' });
    });

    it('still works on objects under deletion, and can let them go', async () => {
      const finalizers = ['example.com/a'];
      await applied('m', configMap('leaving', { k: '1' }, { finalizers }));
      await admin.expect('DELETE', at('leaving'));
      const changed = await applied('m', configMap('leaving', { k: '2' }, { finalizers }));
      expect(changed.data).to.deep.equal({ k: '2' });
      expect(changed.metadata.deletionTimestamp).to.be.a('string');
      const more = configMap('leaving', { k: '2' }, { finalizers: [...finalizers, 'example.com/b'] });
      const { code, body } = await apply('m', more);
      expect(code).to.equal(422);
      expect(body.message).to.match(/no new finalizers can be added if the object is being deleted/);
      expect((await apply('m', configMap('leaving', { k: '2' }))).code).to.equal(200);
      expect((await admin.get(at('leaving'))).code).to.equal(404);
      expect((await apply('m', configMap('leaving', { k: '1' }))).code).to.equal(201);
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
        expect(answer.code, answer.text).to.equal(code);
        expect(answer.body.message).to.match(message);
        expect((await admin.get(at('refused'))).code).to.equal(404);
      });
    }

    it('says so: the namespace is not there', async () => {
      const path = `${inNamespace('nowhere', 'configmaps')}/refused`;
      const { code, body } = await applyAs(admin, 'm', path, good);
      expect(code).to.equal(404);
      expect(body.message).to.equal('namespaces "nowhere" not found');
    });

    for (const type of ['json', 'merge', 'strategic'] as const) {
      it(`says so: a ${type} patch asks for force`, async () => {
        const request = { body: type === 'json' ? [] : {}, contentType: patchTypes[type] };
        const { code, body } = await admin.send('PATCH', `${at('refused')}?force=true`, request);
        expect(code).to.equal(422);
        expect(body.message).to.match(/force: Forbidden: may not be specified for non-apply patch/);
      });
    }
  });

  describe('at the same time', () => {
    const managers = ['a', 'b', 'c', 'd', 'e'];

    it('creates once, and merges the rest', async () => {
      const answers = await Promise.all(
        managers.map((manager) => apply(manager, configMap('raced', { [manager]: '1' }))),
      );
      expect(answers.map(({ code }) => code).sort(), answers.map(({ text }) => text).join()).to.deep.equal([
        200, 200, 200, 200, 201,
      ]);
      const object = await read('raced');
      expect(object.data).to.deep.equal({ a: '1', b: '1', c: '1', d: '1', e: '1' });
      expect(ownersOf(object)).to.deep.equal(
        managers.map((manager) => `${manager} Apply v1: data.${manager}`),
      );
    });

    it('lets one win a field, and tells the others', async () => {
      const answers = await Promise.all(
        managers.map((manager) => apply(manager, configMap('contested', { k: manager }))),
      );
      expect(answers.map(({ code }) => code).sort()).to.deep.equal([201, 409, 409, 409, 409]);
      const winner = (await read('contested')).data.k;
      expect(ownersOf(await read('contested'))).to.deep.equal([`${winner} Apply v1: data.k`]);
      for (const { code, body } of answers) {
        if (code === 409) expect(body.message).to.include(`conflict with "${winner}": .data.k`);
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
      expect(answers.map(({ code }) => code)).to.deep.equal(managers.map(() => 200));
      expect(ownersOf(await read('busy'))).to.deep.equal([
        'm Apply v1: data.k',
        ...managers.map((manager) => `${manager} Update v1: data.${manager}`),
      ]);
    });
  });
});
