import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import {
  compileCustomApplySchema,
  createApplySchemaCompiler,
  createFieldManager,
} from '../../../../src/machinery/apply/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ManagedFieldsEntry } from '../../../../src/machinery/meta/index.ts';
import { atOnce } from './support/at-once.ts';

type Json = Record<string, unknown>;

const catalog = createTypeCatalog(orchDialect);
const configMap = createApplySchemaCompiler(catalog).compile(catalog.type('v1.ConfigMap'));
const annotation = 'ctl.orch.io/last-applied-configuration';
const manager = createFieldManager({
  schemaOf: () => configMap,
  convert: () => undefined,
  lastApplied: { manager: 'ctl', annotation },
});
const fields = atOnce(manager);
const now = '2020-01-01T00:00:00Z';
const later = '2020-01-01T00:00:09Z';
const object = (data: Json, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});
const stored = (data: Json, managedFields?: ManagedFieldsEntry[], metadata: Json = {}): Json =>
  object(data, { uid: 'u', ...metadata, managedFields });
const create = (data: Json, manager = 'm') =>
  fields.recordUpdate({ live: undefined, object: object(data), manager, apiVersion: 'v1', now });
const apply = (live: Json | undefined, data: Json, manager = 'm', time = now) =>
  fields.applyConfiguration({
    live,
    config: object(data),
    manager,
    isForced: false,
    apiVersion: 'v1',
    now: time,
  });

const gadgets = atOnce(
  createFieldManager({
    schemaOf: () =>
      compileCustomApplySchema({
        schema: { type: 'object', properties: { on: { type: 'boolean' } } },
        extensionPrefix: 'x-orch-',
        metadata: configMap.root,
        apiVersion: 'a.example.com/v1',
        kind: 'Gadget',
      }),
    convert: () => undefined,
    lastApplied: { manager: 'ctl', annotation },
  }),
);

describe('recordUpdate', () => {
  it('drops the record of a custom object that does not fit its schema', () => {
    const write = (on: unknown, live?: Json) =>
      gadgets.recordUpdate({
        live,
        object: { apiVersion: 'a.example.com/v1', kind: 'Gadget', on },
        manager: 'm',
        apiVersion: 'a.example.com/v1',
        now,
      });
    expect(write(true)).to.have.length(1);
    // An empty text is nothing where schemas are checked, but no boolean.
    expect(write('')).to.equal(undefined);
    expect(write(true, { apiVersion: 'a.example.com/v1', kind: 'Gadget', on: '' })).to.equal(undefined);
  });

  it('gives all fields of a new object to its writer', () => {
    expect(JSON.stringify(create({ k: '1' }, ''))).to.equal(
      '[{"manager":"unknown","operation":"Update","apiVersion":"v1","time":"2020-01-01T00:00:00Z",' +
        '"fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:k":{}}}}]',
    );
  });

  it('keeps the record when nothing but unowned fields changes', () => {
    const entries = create({ k: '1' });
    const next = object({ k: '1' }, { resourceVersion: '7', generation: 2, uid: 'u' });
    expect(
      fields.recordUpdate({
        live: stored({ k: '1' }, entries),
        object: next,
        manager: 'x',
        apiVersion: 'v1',
        now: later,
      }),
    ).to.deep.equal(entries);
  });

  const resets: [string, ManagedFieldsEntry[]][] = [
    ['an empty list', []],
    ['one empty entry', [{}]],
  ];
  for (const [what, sent] of resets) {
    it(`forgets all owners for ${what}, changes of the request included`, () => {
      const live = stored({ k: '1' }, create({ k: '1' }));
      const input = { live, object: object({ k: '2' }), manager: 'x', apiVersion: 'v1', now, sent };
      expect(fields.recordUpdate(input)).to.equal(undefined);
    });
  }

  it('drops the record when an owner has a version that cannot be', () => {
    const sent = [{ ...create({ k: '1' })?.[0], manager: 'x', apiVersion: 'a/b/c' }];
    const input = { live: undefined, object: object({ k: '1' }), manager: 'y', apiVersion: 'v1', now, sent };
    expect(fields.recordUpdate(input)).to.equal(undefined);
  });

  it('keeps the live record when the one sent cannot be read', () => {
    const entries = create({ k: '1' });
    const sent = [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV9' }];
    const input = {
      live: stored({ k: '1' }, entries),
      object: object({ k: '1' }),
      manager: 'x',
      apiVersion: 'v1',
      now,
      sent,
    };
    expect(fields.recordUpdate(input)).to.deep.equal(entries);
  });

  it('drops a live record that cannot be read', () => {
    for (const managedFields of [5, [7], [{ fieldsType: 'FieldsV1', fieldsV1: { 'q:': 1 } }]]) {
      // Others may have stored anything.
      const live = { ...stored({ k: '1' }), metadata: { uid: 'u', managedFields } };
      const input = { live, object: object({ k: '2' }), manager: 'x', apiVersion: 'v1', now };
      expect(fields.recordUpdate(input), JSON.stringify(managedFields)).to.equal(undefined);
    }
  });

  it('drops a record with a version that is none, but only the owner of an unknown one', () => {
    const [entry] = create({ k: '1' }) ?? [];
    const live = stored({ k: '1' }, create({ k: '1' }));
    const record = (apiVersion: string) =>
      fields.recordUpdate({
        live,
        object: object({ k: '1', l: '2' }),
        manager: 'x',
        apiVersion: 'v1',
        now,
        sent: [{ ...entry, apiVersion }],
      });
    expect(record('a/b/c')).to.equal(undefined);
    expect(record('a/b')?.map((one) => one.manager)).to.deep.equal(['x']);
  });

  it('does not take a mistake of the server for a record that cannot be read', () => {
    const mistake = {
      get fieldsType(): string {
        throw new TypeError('a mistake');
      },
    };
    const entries = create({ k: '1' });
    const request = { object: object({ k: '2' }), manager: 'x', apiVersion: 'v1', now };
    expect(() => fields.recordUpdate({ live: stored({ k: '1' }, [mistake]), ...request })).to.throw(
      'a mistake',
    );
    expect(() =>
      fields.recordUpdate({ live: stored({ k: '1' }, entries), sent: [mistake], ...request }),
    ).to.throw('a mistake');
  });

  it('starts no record for an object that has none', () => {
    const input = {
      live: stored({ k: '1' }),
      object: object({ k: '2' }),
      manager: 'x',
      apiVersion: 'v1',
      now,
    };
    expect(fields.recordUpdate(input)).to.equal(undefined);
  });

  it('puts the oldest of more than ten updaters together', () => {
    let entries = create({ k0: '' }, 'm0');
    const data: Json = { k0: '' };
    for (let index = 1; index < 14; index++) {
      const live = stored({ ...data }, entries);
      data[`k${index}`] = '';
      const time = `2020-01-01T00:00:${10 + index}Z`;
      entries = fields.recordUpdate({
        live,
        object: object({ ...data }),
        manager: `m${index}`,
        apiVersion: 'v1',
        now: time,
      });
    }
    expect(entries).to.have.length(10);
    const bucket = entries?.find(({ manager }) => manager === 'ancient-changes');
    expect(bucket?.fieldsV1)
      .to.have.nested.property('f:data')
      .with.all.keys('.', 'f:k0', 'f:k1', 'f:k2', 'f:k3', 'f:k4');
  });

  describe('with a record of thousands of owners', () => {
    const count = 20_000;
    const names = Array.from({ length: count }, (_, index) => `k${index}`);
    const data = Object.fromEntries(names.map((name) => [name, '1']));
    const sent = names.map((name, index) => ({
      manager: `m${index}`,
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:${name}`]: {} } },
    }));
    const input = { live: stored(data), manager: 'x', apiVersion: 'v1', now };

    // Time in the square of the owners would be half a minute.
    it('puts them together in time', () => {
      const entries = fields.recordUpdate({ ...input, object: object({ ...data, z: '1' }), sent });
      expect(entries).to.have.length(10);
      const owned = entries?.flatMap(({ fieldsV1 }) => Object.keys((fieldsV1 as Json)['f:data'] as Json));
      // Compared in order: to look for each among all takes the square of the owners too.
      expect(owned?.toSorted()).to.deep.equal([...names, 'z'].map((name) => `f:${name}`).toSorted());
    }).timeout(10_000);

    it('takes all from them in time', () => {
      const applied = sent.map((entry) => ({ ...entry, operation: 'Apply' }));
      const entries = fields.recordUpdate({ ...input, object: object({ z: '1' }), sent: applied });
      expect(entries?.map(({ manager }) => manager)).to.deep.equal(['x']);
    }).timeout(10_000);
  });
});

describe('applyConfiguration', () => {
  it('gives what was there before to before-first-apply', () => {
    expect(() => apply(stored({ k: '1' }), { k: '2' })).to.throw(
      'conflict with "before-first-apply" using v1: .data.k',
    );
  });

  it('keeps the time while nothing changes', () => {
    const first = apply(undefined, { k: '1' });
    const again = apply(stored({ k: '1' }, first.managedFields), { k: '1' }, 'm', later);
    expect(again.isChanged).to.equal(false);
    expect(again.managedFields).to.deep.equal(first.managedFields);
  });

  it('refuses another version and managed fields in the body', () => {
    const input = { live: undefined, manager: 'm', isForced: false, apiVersion: 'v1', now };
    expect(() => fields.applyConfiguration({ ...input, config: { kind: 'ConfigMap' } })).to.throw(
      'Incorrect version specified in apply patch. Specified patch version: , expected: v1',
    );
    expect(() => fields.applyConfiguration({ ...input, config: object({}, { managedFields: [] }) })).to.throw(
      'metadata.managedFields must be nil',
    );
  });

  it('takes over what the client applied by itself before', () => {
    const annotations = { [annotation]: JSON.stringify(object({ k: '1' })) };
    const live = stored({ k: '1' }, create({ k: '1' }, 'ctl-client-side-apply'), { annotations });
    const done = apply(live, { k: '2' }, 'ctl');
    expect(done.object).to.have.nested.property('data.k', '2');
    const kept = (done.object.metadata as { annotations: Record<string, string> }).annotations[annotation];
    expect(kept).to.equal(
      '{"apiVersion":"v1","data":{"k":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
    );
    expect(() => apply(live, { k: '2' }, 'other')).to.throw(
      'conflict with "ctl-client-side-apply" using v1: .data.k',
    );
  });

  const texts: [what: string, value: string, shown: string][] = [
    ['what HTML gives a meaning', '<a> & b', '\\u003ca\\u003e \\u0026 b'],
    ['what ends lines elsewhere', '\u2028\u2029', '\\u2028\\u2029'],
    ['controls that Go has no letter for', '\b\f\n\t\u0001', '\\u0008\\u000c\\n\\t\\u0001'],
    ['backslashes before letters', '\\b \\f "', '\\\\b \\\\f \\"'],
  ];
  for (const [what, value, shown] of texts) {
    it(`writes ${what} into the annotation as the client does`, () => {
      const live = stored({}, create({}, 'x'), { annotations: { [annotation]: '{}' } });
      const done = apply(live, { z: value, b: '1' }, 'ctl');
      const { annotations } = done.object.metadata as { annotations: Record<string, string> };
      expect(annotations[annotation]).to.include(`"data":{"b":"1","z":"${shown}"}`);
    });
  }

  /** Without data at all rather than with an empty map, which decoding drops. */
  const configOf = (data: Json): Json => {
    const { data: _data, ...rest } = object(data);
    return Object.keys(data).length === 0 ? rest : object(data);
  };
  const names = ['a', 'b', 'c', 'd'];
  const data = fc.dictionary(fc.constantFrom(...names), fc.constantFrom('1', '2'), { maxKeys: 4 });
  const acts = fc.array(fc.record({ who: fc.constantFrom('x', 'y', 'z'), data }), { maxLength: 10 });

  it('agrees with a plain interpreter of maps, owner by owner', () => {
    fc.assert(
      fc.property(acts, (list) => {
        const values: Record<string, string> = {};
        const owners = new Map<string, Set<string>>();
        let live: Json | undefined;
        for (const act of list) {
          const step = {
            live,
            config: configOf(act.data),
            manager: act.who,
            isForced: true,
            apiVersion: 'v1',
            now,
          };
          const done = fields.applyConfiguration(step);
          for (const [name, value] of Object.entries(act.data)) {
            if (values[name] !== value) for (const owned of owners.values()) owned.delete(name);
            values[name] = value;
          }
          const before = owners.get(act.who) ?? new Set();
          owners.set(act.who, new Set(Object.keys(act.data)));
          for (const name of before) {
            if (![...owners.values()].some((owned) => owned.has(name))) delete values[name];
          }
          expect(done.object.data ?? {}).to.deep.equal(values);
          for (const [who, owned] of owners) {
            const entry = done.managedFields?.find(({ manager }) => manager === who);
            expect(Object.keys((entry?.fieldsV1?.['f:data'] ?? {}) as object)).to.deep.equal(
              [...owned].sort().map((name) => `f:${name}`),
            );
          }
          const metadata = {
            ...(done.object.metadata as object),
            uid: 'u',
            managedFields: done.managedFields,
          };
          live = catalog.type('v1.ConfigMap').decode({ ...done.object, metadata });
          expect(fields.applyConfiguration({ ...step, live, isForced: false }).isChanged).to.equal(false);
        }
      }),
      { numRuns: 150 },
    );
  });
});
