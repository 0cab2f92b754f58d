import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { createApplySchemaCompiler, createFieldManager } from '../../../../../src/machinery/apply/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { StatusError } from '../../../../../src/machinery/errors/index.ts';
import type { ManagedFieldsEntry } from '../../../../../src/machinery/meta/index.ts';
import { atOnce } from '../support/at-once.ts';

type Json = Record<string, unknown>;

const catalog = createTypeCatalog(orchDialect);
const compiler = createApplySchemaCompiler(catalog);
const manager = createFieldManager({
  schemaOf: (apiVersion, kind) =>
    apiVersion === 'v1' && kind === 'Pod' ? compiler.compile(catalog.type('v1.Pod')) : undefined,
  convert: () => undefined,
});
const fields = atOnce(manager);
const now = '2020-01-01T00:00:00Z';
const podOf = (containers: readonly object[], metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers },
});
const refusalOf = (config: Json, live?: Json, apiVersion = 'v1'): StatusError => {
  try {
    fields.applyConfiguration({ live, config, manager: 'm', isForced: false, apiVersion, now });
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('must be refused');
};

describe('configurations that cannot be applied', () => {
  const rows: readonly (readonly [title: string, config: Json, code: number, message: string])[] = [
    [
      'without a version',
      { kind: 'Pod' },
      400,
      'Incorrect version specified in apply patch. Specified patch version: , expected: v1',
    ],
    [
      'of another version',
      { apiVersion: 'v2', kind: 'Pod' },
      400,
      'Incorrect version specified in apply patch. Specified patch version: v2, expected: v1',
    ],
    [
      'whose version is no text',
      { apiVersion: 1, kind: 'Pod' },
      400,
      'Incorrect version specified in apply patch. Specified patch version: , expected: v1',
    ],
    [
      'with a record of owners',
      podOf([], { managedFields: [{}] }),
      400,
      'metadata.managedFields must be nil',
    ],
    [
      'of a kind without a schema',
      { apiVersion: 'v1', kind: 'Node' },
      500,
      'failed to create typed patch object: no corresponding type for /v1, Kind=Node',
    ],
    [
      'without a kind',
      { apiVersion: 'v1' },
      500,
      'failed to create typed patch object: no corresponding type for /v1, Kind=',
    ],
    [
      'with an unknown field',
      { apiVersion: 'v1', kind: 'Pod', color: 'red' },
      500,
      'failed to create typed patch object: .color: field not declared in schema',
    ],
    [
      'with an item twice',
      podOf([{ name: 'c' }, { name: 'c' }]),
      500,
      'failed to create typed patch object: .spec.containers: duplicate entries for key [name="c"]',
    ],
    [
      'with two items without their key, which then is empty',
      podOf([{ image: 'x' }, { image: 'y' }]),
      500,
      'failed to create typed patch object: .spec.containers: duplicate entries for key [name=""]',
    ],
  ];
  for (const [title, config, code, message] of rows) {
    it(`are those ${title}`, () => {
      const error = refusalOf(config);
      expect(error.code).to.equal(code);
      expect(error.message).to.equal(message);
    });
  }

  it('are all where the live object has items without keys', () => {
    const error = refusalOf(podOf([{ name: 'c' }]), podOf([{ name: 'c' }, { name: 'c' }], { uid: 'u' }));
    expect(error.message).to.equal(
      'failed to create manager for existing fields: failed to convert new object (/v1, Kind=Pod) to smd typed: .spec.containers: duplicate entries for key [name="c"]',
    );
  });

  it('are not those whose record of owners is null', () => {
    const done = fields.applyConfiguration({
      live: undefined,
      config: podOf([{ name: 'c' }], { managedFields: null }),
      manager: 'm',
      isForced: false,
      apiVersion: 'v1',
      now,
    });
    expect(done.isChanged).to.equal(true);
  });
});

describe('objects whose owners cannot be found out', () => {
  const entries: ManagedFieldsEntry[] = [
    {
      manager: 'm',
      operation: 'Apply',
      apiVersion: 'v1',
      time: now,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:hostname': {} } },
    },
  ];

  it('have none after an update', () => {
    const twice = podOf([{ name: 'c' }, { name: 'c' }]);
    const live = podOf([{ name: 'c' }], { uid: 'u', managedFields: entries });
    const recorded = fields.recordUpdate({ live, object: twice, manager: 'x', apiVersion: 'v1', now });
    expect(recorded).to.equal(undefined);
  });

  it('keep those of a kind without a schema', () => {
    const live = { apiVersion: 'v1', kind: 'Node', metadata: { uid: 'u', managedFields: entries } };
    const recorded = fields.recordUpdate({
      live,
      object: { ...live, spec: {} },
      manager: 'x',
      apiVersion: 'v1',
      now,
    });
    expect(recorded).to.deep.equal(entries);
  });

  it('take those that the request sends with a create', () => {
    const object = podOf([{ name: 'c' }], { managedFields: entries });
    const recorded =
      fields.recordUpdate({ live: undefined, object, manager: 'x', apiVersion: 'v1', now }) ?? [];
    expect(recorded.map(({ manager, operation }) => `${operation} ${manager}`)).to.deep.equal([
      'Apply m',
      'Update x',
    ]);
  });
});
