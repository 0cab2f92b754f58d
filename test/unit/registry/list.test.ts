import { expect } from 'chai';
import { type ListQuery, validateListQuery } from '../../../src/registry/index.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { failureOf } from '../../support/failure.ts';
import { configMap, pod } from '../../support/objects.ts';
import { type ListSettings, namesOf, TestRegistry } from '../../support/registry.ts';

const configMaps = 'v1/configmaps';
const metaGroup = 'meta.orch.io';
const expiredToken =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

describe('listObjects', () => {
  let registry: TestRegistry;
  /** Revision at which a, b and c were there, before d. */
  let before: string;
  beforeEach(async () => {
    registry = await TestRegistry.open();
    for (const name of ['a', 'b', 'c']) await registry.create(configMaps, configMap(name));
    before = String(registry.watchCache.revision);
    await registry.create(configMaps, configMap('d'));
  });
  afterEach(() => registry[Symbol.asyncDispose]());
  const list = (settings: ListSettings = {}) => registry.list(configMaps, settings);

  describe('shows the state that the client asks for', () => {
    type Case = [settings: (revision: string) => ListSettings, names: string, page?: string];
    const cases: Record<string, Case> = {
      'the newest without a version': [() => ({}), 'abcd'],
      'the newest without a version, paged': [() => ({ limit: 2 }), 'ab', '2 more'],
      'any with 0': [() => ({ resourceVersion: '0' }), 'abcd'],
      'any with 0, never paged': [() => ({ resourceVersion: '0', limit: 2 }), 'abcd'],
      'at least a version': [(revision) => ({ resourceVersion: revision }), 'abcd'],
      'just a version when paged': [(revision) => ({ resourceVersion: revision, limit: 2 }), 'ab', '1 more'],
      'just a version': [(revision) => ({ resourceVersion: revision, resourceVersionMatch: 'Exact' }), 'abc'],
      'just a version, a page of it': [
        (revision) => ({ resourceVersion: revision, resourceVersionMatch: 'Exact', limit: 1 }),
        'a',
        '2 more',
      ],
      'not older than a version, paged': [
        (revision) => ({ resourceVersion: revision, resourceVersionMatch: 'NotOlderThan', limit: 3 }),
        'abc',
        '1 more',
      ],
      'not older than 0': [() => ({ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }), 'abcd'],
    };
    for (const [name, [settings, names, page]] of Object.entries(cases)) {
      it(name, async () => {
        const result = await list(settings(before));
        expect(namesOf(result).join('')).to.equal(names);
        const { continueToken, remainingItemCount } = result;
        expect(continueToken === undefined ? undefined : `${remainingItemCount} more`).to.equal(page);
      });
    }

    it('and names the revision of it', async () => {
      const exact = await list({ resourceVersion: before, resourceVersionMatch: 'Exact' });
      expect(exact.revision).to.equal(Number(before));
      expect((await list()).revision).to.equal(registry.watchCache.revision);
    });

    it('with the contents of that time', async () => {
      await registry.change(configMaps, 'a', (object) => Object.assign(object, { data: { k: 'new' } }));
      await registry.remove(configMaps, 'b');
      const result = await list({ resourceVersion: before, resourceVersionMatch: 'Exact' });
      expect(namesOf(result)).to.deep.equal(['a', 'b', 'c']);
      expect(result.objects[0]?.bytes.toString()).not.to.contain('new');
    });
  });

  describe('of a resource without a cache', () => {
    it('keeps the limit of any version, as it is read from the store', async () => {
      await using uncached = await TestRegistry.open({ uncached: ['configmaps'] });
      for (const name of ['a', 'b', 'c']) await uncached.create(configMaps, configMap(name));
      for (const resourceVersionMatch of ['', 'NotOlderThan']) {
        const result = await uncached.list(configMaps, {
          resourceVersion: '0',
          resourceVersionMatch,
          limit: 2,
        });
        expect(namesOf(result)).to.deep.equal(['a', 'b']);
        expect(result.remainingItemCount).to.equal(1);
      }
    });

    it('does not wait for versions to come, and reads versions as the store does', async () => {
      await using uncached = await TestRegistry.open({ uncached: ['configmaps'] });
      const current = uncached.watchCache.revision;
      await expectStatus(uncached.list(configMaps, { resourceVersion: '99' }), {
        code: 504,
        message: `Timeout: Too large resource version: 99, current: ${current}`,
      });
      await expectStatus(uncached.list(configMaps, { resourceVersion: 'x' }), {
        code: 400,
        message:
          'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
      });
    });
  });

  describe('refuses', () => {
    const badVersions: [settings: ListSettings, code: number, message: string][] = [
      [
        { resourceVersion: 'x' },
        500,
        'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
      ],
      [
        { resourceVersion: 'x', limit: 1 },
        400,
        'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
      ],
      [
        { resourceVersion: '-1', resourceVersionMatch: 'Exact' },
        400,
        'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
      ],
      [
        { resourceVersion: '18446744073709551616' },
        500,
        'resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
      ],
    ];
    for (const [settings, code, message] of badVersions) {
      it(`a version that is no number: ${JSON.stringify(settings)}`, () =>
        expectStatus(list(settings), { code, message }));
    }

    it('a version together with a continue token', async () => {
      const { continueToken = '' } = await list({ limit: 1 });
      await expectStatus(list({ continueToken, resourceVersion: '5' }), {
        code: 400,
        message: 'specifying resource version is not allowed when using continue',
      });
    });

    for (const [resourceVersion, message] of [
      ['x', /^invalid resource version: resourceVersion: Invalid value: "x"/],
      ['5', /^invalid continue token: /],
      ['0', /^invalid continue token: /],
    ] as const) {
      it(`version ${resourceVersion} together with a bad token: the version first, their combination last`, async () => {
        const error = await failureOf(list({ continueToken: 'abc', resourceVersion }));
        expect(error.message).to.match(message);
      });
    }

    it('a version that the store has forgotten', async () => {
      await using later = await TestRegistry.open({ storage: registry.storage });
      await registry.storage.compact(registry.watchCache.revision);
      for (const settings of [{ resourceVersionMatch: 'Exact' }, { limit: 1 }]) {
        const result = later.list(configMaps, { resourceVersion: before, ...settings });
        const status = await expectStatus(result, {
          code: 410,
          reason: 'Expired',
          message: 'The resourceVersion for the provided list is too old.',
        });
        expect(status.metadata).to.deep.equal({});
      }
    });

    it('a version that does not come in three seconds', async () => {
      const future = registry.watchCache.revision + 5;
      const result = expectStatus(list({ resourceVersion: String(future) }), {
        code: 504,
        reason: 'Timeout',
        message: `Timeout: Too large resource version: ${future}, current: ${future - 5}`,
      });
      expect(registry.clock.timerCount).to.equal(1);
      registry.clock.advance(3000);
      const status = await result;
      expect(status.details).to.deep.equal({
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      });
    });
  });

  for (const settings of [{ resourceVersionMatch: 'Exact' }, { limit: 1 }]) {
    it(`refuses just the state of a version that has not been at once: ${JSON.stringify(settings)}`, async () => {
      const resourceVersion = String(registry.watchCache.revision + 5);
      await expectStatus(list({ resourceVersion, ...settings }), {
        code: 500,
        message: 'etcdserver: mvcc: required revision is a future revision',
      });
    });
  }

  it('repeats all digits of a version that is far in the future', async () => {
    const result = expectStatus(list({ resourceVersion: '18446744073709551615' }), {
      code: 504,
      message: `Timeout: Too large resource version: 18446744073709551615, current: ${registry.watchCache.revision}`,
    });
    registry.clock.advance(3000);
    await result;
  });

  it('waits for a version that comes in time', async () => {
    const future = registry.watchCache.revision + 1;
    const result = list({ resourceVersion: String(future) });
    await registry.create(configMaps, configMap('e'));
    expect(namesOf(await result).join('')).to.equal('abcde');
    expect(registry.clock.timerCount).to.equal(0);
  });

  describe('goes on from a token', () => {
    it('at the revision of the first page, whatever happened since', async () => {
      const first = await list({ limit: 2 });
      await registry.create(configMaps, configMap('bb'));
      await registry.remove(configMaps, 'c');
      const second = await list({ limit: 2, continueToken: first.continueToken ?? '' });
      expect(namesOf(second)).to.deep.equal(['c', 'd']);
      expect(second.revision).to.equal(first.revision);
      expect(second).not.to.have.any.keys('continueToken', 'remainingItemCount');
    });

    it('to the end without a limit, also with version 0', async () => {
      const { continueToken = '' } = await list({ limit: 1 });
      expect(namesOf(await list({ continueToken, resourceVersion: '0' }))).to.deep.equal(['b', 'c', 'd']);
    });

    it('within a namespace', async () => {
      await registry.create(configMaps, configMap('z'), { namespace: 'other' });
      const first = await list({ namespace: 'default', limit: 3 });
      const second = await list({ namespace: 'default', continueToken: first.continueToken ?? '' });
      expect(namesOf(second)).to.deep.equal(['d']);
    });

    it('across namespaces', async () => {
      await registry.create(configMaps, configMap('z'), { namespace: 'other' });
      const names: string[] = [];
      let continueToken = '';
      do {
        const page = await list({ limit: 1, continueToken });
        names.push(...namesOf(page));
        continueToken = page.continueToken ?? '';
      } while (continueToken !== '');
      expect(names).to.deep.equal(['a', 'b', 'c', 'd', 'z']);
    });

    it('without a count of the rest when selectors hide it', async () => {
      const page = await list({ limit: 1, fields: 'metadata.name!=a' });
      expect(namesOf(page)).to.deep.equal(['b']);
      expect(page.continueToken).to.be.a('string');
      expect(page.remainingItemCount).to.equal(undefined);
    });
  });

  describe('refuses a token', () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const prefix = 'invalid continue token: continue key is not valid: ';
    const cases: [name: string, token: string, why: string][] = [
      ['that is empty JSON', encode({}), 'server does not recognize this encoded version ""'],
      ['that is null', encode(null), 'server does not recognize this encoded version ""'],
      ['of another format', encode({ v: 'v9' }), 'server does not recognize this encoded version "v9"'],
      [
        'without a revision',
        encode({ v: `${metaGroup}/v1`, start: 'x' }),
        'incorrect encoded start resourceVersion (version meta.orch.io/v1)',
      ],
      [
        'of revision 0',
        encode({ v: `${metaGroup}/v1`, rv: 0, start: 'x' }),
        'incorrect encoded start resourceVersion (version meta.orch.io/v1)',
      ],
      [
        'of a broken revision',
        encode({ v: `${metaGroup}/v1`, rv: 1.5, start: 'x' }),
        'incorrect encoded start resourceVersion (version meta.orch.io/v1)',
      ],
      [
        'that leaves the resource',
        encode({ v: `${metaGroup}/v1`, rv: 2, start: '../secrets/x' }),
        'it was not made for this list',
      ],
      [
        'that starts nowhere',
        encode({ v: `${metaGroup}/v1`, rv: 2, start: '' }),
        'encoded start key empty (version meta.orch.io/v1)',
      ],
      ['that is not base64', 'ab*d', 'illegal base64 data at input byte 2'],
      ['that was cut off', 'abcde', 'illegal base64 data at input byte 4'],
      ['that ends within JSON', Buffer.from('{"v":').toString('base64url'), 'unexpected end of JSON input'],
      [
        'that is no JSON',
        Buffer.from('hello').toString('base64url'),
        "invalid character 'h' looking for beginning of value",
      ],
    ];
    for (const [name, continueToken, why] of cases) {
      it(name, () =>
        expectStatus(list({ continueToken }), { code: 400, reason: 'BadRequest', message: prefix + why }),
      );
    }

    it('that is any text, without a crash', async () => {
      for (const continueToken of ['*', 'null', 'nul', 'ä', 'a'.repeat(5000), '{}', ' ', 'eyJ2Ijoi']) {
        await expectStatus(list({ continueToken }), { code: 400 });
      }
    });

    it('of another namespace or resource', async () => {
      await registry.create(configMaps, configMap('x'), { namespace: 'other' });
      const { continueToken = '' } = await list({ limit: 1, namespace: 'default' });
      const message = `${prefix}it was not made for this list`;
      await expectStatus(list({ continueToken, namespace: 'other' }), { code: 400, message });
      await expectStatus(list({ continueToken }), { code: 400, message });
      await expectStatus(registry.list('v1/secrets', { continueToken, namespace: 'default' }), {
        code: 400,
        message,
      });
      expect(namesOf(await list({ continueToken, namespace: 'default' }))).to.deep.equal(['b', 'c', 'd']);
    });
  });

  describe('of a state that is no longer in memory', () => {
    /** Another server over the same store, with the same secret. */
    const openOther = () => TestRegistry.open({ storage: registry.storage });

    it('reads from the store what memory would have shown', async () => {
      await registry.change(configMaps, 'a', (object) => Object.assign(object, { data: { k: 'new' } }));
      await registry.remove(configMaps, 'b');
      await using other = await openOther();
      const selections: ListSettings[] = [
        { resourceVersionMatch: 'Exact' },
        { resourceVersionMatch: 'Exact', namespace: 'default' },
        { resourceVersionMatch: 'Exact', fields: 'metadata.name!=b' },
        { resourceVersionMatch: 'Exact', limit: 1, fields: 'metadata.name!=a' },
        { resourceVersionMatch: 'Exact', namespace: 'none' },
        { limit: 1 },
        { limit: 2 },
        { limit: 3 },
        { limit: 4 },
      ];
      for (const selection of selections) {
        const settings = { resourceVersion: before, ...selection };
        const [here, there] = [await list(settings), await other.list(configMaps, settings)];
        const plain = (result: typeof here) => ({
          ...result,
          objects: result.objects.map(({ key, bytes }) => `${key} ${bytes}`),
        });
        expect(plain(there)).to.deep.equal({ ...plain(here) });
      }
    });

    it('goes on with pages of another server, counting what is left', async () => {
      const first = await list({ limit: 1 });
      await registry.remove(configMaps, 'd');
      await using other = await openOther();
      const second = await other.list(configMaps, { limit: 1, continueToken: first.continueToken ?? '' });
      expect([namesOf(second), second.remainingItemCount]).to.deep.equal([['b'], 2]);
      expect(second.revision).to.equal(first.revision);
      const third = await list({ limit: 2, continueToken: second.continueToken ?? '' });
      expect([namesOf(third), third.continueToken]).to.deep.equal([['c', 'd'], undefined]);
    });

    it('waits for a state that another server saw first', async () => {
      await using other = await openOther();
      const { tokens } = registry.served(configMaps).store;
      const revision = registry.watchCache.revision + 1;
      const continueToken = tokens.encode({ revision, startKey: 'default/b' }, '/registry/configmaps/');
      const result = other.list(configMaps, { continueToken });
      await registry.create(configMaps, configMap('e'));
      expect(namesOf(await result)).to.deep.equal(['b', 'c', 'd', 'e']);
      const later = tokens.encode({ revision: 99, startKey: 'default/b' }, '/registry/configmaps/');
      const failed = expectStatus(other.list(configMaps, { continueToken: later }), { code: 504 });
      other.clock.advance(3000);
      await failed;
    });

    it('offers the rest as it is now when the store has forgotten it', async () => {
      const first = await list({ limit: 1 });
      await registry.remove(configMaps, 'c');
      await registry.create(configMaps, configMap('aa'));
      await registry.create(configMaps, configMap('e'));
      await using other = await openOther();
      await registry.storage.compact(registry.watchCache.revision);
      const { continueToken = '' } = first;
      const status = await expectStatus(other.list(configMaps, { limit: 1, continueToken }), {
        code: 410,
        reason: 'Expired',
        message: expiredToken,
      });
      const rest = String(status.metadata.continue);
      const second = await other.list(configMaps, { limit: 2, continueToken: rest });
      expect(namesOf(second)).to.deep.equal(['aa', 'b']);
      expect(second.revision).to.equal(registry.watchCache.revision);
      await registry.create(configMaps, configMap('f'));
      const third = await other.list(configMaps, { continueToken: second.continueToken ?? '' });
      expect([namesOf(third), third.revision]).to.deep.equal([['d', 'e'], second.revision]);
    });
  });

  describe('of several pages', () => {
    const listLifetimeMs = 300_000;
    const aged = { code: 410, reason: 'Expired', message: expiredToken };

    it('expires by age, though nothing has changed', async () => {
      await using own = await TestRegistry.open({ listLifetimeMs });
      for (const name of ['a', 'b', 'c', 'd', 'e']) await own.create(configMaps, configMap(name));
      const first = await own.list(configMaps, { limit: 1 });
      own.clock.advance(200_000);
      const second = await own.list(configMaps, { limit: 1, continueToken: first.continueToken ?? '' });
      own.clock.advance(100_000);
      const third = await own.list(configMaps, { limit: 1, continueToken: second.continueToken ?? '' });
      expect([namesOf(third), third.revision]).to.deep.equal([['c'], first.revision]);
      own.clock.advance(1);
      // The age is that of the list, not of its last page.
      const continueToken = third.continueToken ?? '';
      const status = await expectStatus(own.list(configMaps, { continueToken }), aged);
      const rest = String(status.metadata.continue);
      own.clock.advance(listLifetimeMs * 10);
      const fourth = await own.list(configMaps, { limit: 1, continueToken: rest });
      expect(namesOf(fourth)).to.deep.equal(['d']);
      own.clock.advance(listLifetimeMs);
      const fifth = await own.list(configMaps, { limit: 1, continueToken: fourth.continueToken ?? '' });
      expect([namesOf(fifth), fifth.continueToken]).to.deep.equal([['e'], undefined]);
    });
  });

  describe('selects', () => {
    beforeEach(async () => {
      await registry.create('v1/pods', { ...pod('p'), metadata: { name: 'p', labels: { app: 'x' } } });
      const placed = pod('q', { labels: { app: 'y' } });
      await registry.create('v1/pods', { ...placed, spec: { ...placed.spec, nodeName: 'n1' } });
      await registry.create('v1/pods', pod('p'), { namespace: 'other' });
    });
    const cases: [settings: ListSettings, names: string[]][] = [
      [{ labels: 'app' }, ['p', 'q']],
      [{ labels: 'app=x' }, ['p']],
      [{ labels: 'app!=x' }, ['q', 'p']],
      [{ labels: 'app in (x,y)', fields: 'spec.nodeName=n1' }, ['q']],
      [{ fields: 'metadata.name=p' }, ['p', 'p']],
      [{ fields: 'metadata.name=p', namespace: 'other' }, ['p']],
      [{ fields: 'metadata.name=p', labels: 'app=y', namespace: 'default' }, []],
      [{ fields: 'metadata.name=none', namespace: 'default' }, []],
      [{ fields: 'metadata.namespace=other' }, ['p']],
      [{ namespace: 'defaul' }, []],
    ];
    for (const [settings, names] of cases) {
      it(`by ${JSON.stringify(settings)}`, async () => {
        expect(namesOf(await registry.list('v1/pods', settings))).to.deep.equal(names);
      });
    }
  });
});

describe('validateListQuery', () => {
  const query = {
    resourceVersion: '',
    resourceVersionMatch: '',
    limit: 0,
    continueToken: '',
    isWatch: false,
  };
  const forbidden = (what: string) => `Forbidden: ${what}`;
  const cases: [settings: Partial<ListQuery>, messages: string[]][] = [
    [{}, []],
    [{ resourceVersion: '5', resourceVersionMatch: 'Exact' }, []],
    [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }, []],
    [
      { resourceVersionMatch: 'Exact' },
      [forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided')],
    ],
    [
      { resourceVersion: '5', resourceVersionMatch: 'Exact', isWatch: true },
      [forbidden('resourceVersionMatch is forbidden for watch')],
    ],
    [
      { resourceVersion: '5', resourceVersionMatch: 'Exact', continueToken: 'x' },
      [forbidden('resourceVersionMatch is forbidden when continue is provided')],
    ],
    [
      { resourceVersion: '0', resourceVersionMatch: 'Exact' },
      [forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')],
    ],
    [{ resourceVersionMatch: 'NotOlderThan', isWatch: true, sendInitialEvents: true }, []],
    [
      { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan', isWatch: true, sendInitialEvents: false },
      [],
    ],
    [
      { resourceVersionMatch: 'Exact', isWatch: true, sendInitialEvents: true },
      [forbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')],
    ],
    [
      { isWatch: true, sendInitialEvents: false },
      [forbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')],
    ],
    [{ sendInitialEvents: true }, []],
    [
      { resourceVersion: '5', resourceVersionMatch: 'Nope' },
      ['Unsupported value: "Nope": supported values: "Exact", "NotOlderThan", ""'],
    ],
  ];
  for (const [settings, messages] of cases) {
    it(`finds ${messages.length === 0 ? 'nothing' : 'what is wrong'} in ${JSON.stringify(settings)}`, async () => {
      const check = () => validateListQuery({ ...query, ...settings }, metaGroup);
      if (messages.length === 0) return void check();
      const status = await expectStatus(check, { code: 422, reason: 'Invalid' });
      expect(status.details?.causes?.map(({ message }) => message)).to.deep.equal(messages);
      expect(status.details).to.include({ group: metaGroup, kind: 'ListOptions' });
    });
  }
});
