import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { rawNumber } from '../../../../../src/base/index.ts';
import { serializeFieldSet } from '../../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import { createApplySchemaCompiler } from '../../../../../src/machinery/apply/index.ts';
import {
  fieldsOfLastApplied,
  refreshLastApplied,
} from '../../../../../src/machinery/apply/managed-fields/last-applied.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';

const catalog = createTypeCatalog(orchDialect);
const schema = createApplySchemaCompiler(catalog).compile(catalog.type('v1.ConfigMap'));
const annotation = 'ctl.orch.io/last-applied-configuration';
const configOf = (data: object, more: object = {}): Record<string, unknown> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  data,
  ...more,
});
const liveOf = (data: object, text?: unknown): Record<string, unknown> =>
  configOf(data, { metadata: { name: 'a', annotations: text === undefined ? {} : { [annotation]: text } } });
const ownedOf = (data: object, text?: unknown): unknown =>
  serializeFieldSet(
    fieldsOfLastApplied({ object: liveOf(data, text), apiVersion: 'v1', schema }, annotation),
  );

describe('fieldsOfLastApplied', () => {
  const base = { 'f:apiVersion': {}, 'f:kind': {}, 'f:metadata': { 'f:name': {} } };
  const owned: readonly (readonly [title: string, applied: object, live: object, wanted: object])[] = [
    [
      'what is still as it was applied',
      { a: '1', b: '2' },
      { a: '1', b: '2', c: '3' },
      { 'f:data': { 'f:a': {}, 'f:b': {} } },
    ],
    [
      'nothing that others changed since',
      { a: '1', b: '2' },
      { a: '9', b: '2' },
      { 'f:data': { 'f:b': {} } },
    ],
    ['nothing that others removed since', { a: '1', b: '2' }, { b: '2' }, { 'f:data': { 'f:b': {} } }],
  ];
  for (const [title, applied, live, wanted] of owned) {
    it(`is ${title}`, () => {
      expect(ownedOf(live, JSON.stringify(configOf(applied)))).to.deep.equal({ ...base, ...wanted });
    });
  }

  const useless: readonly (readonly [string, unknown])[] = [
    ['no annotation', undefined],
    ['an empty one', ''],
    ['one that is no text', 5],
    ['one that is no JSON', '{'],
    ['one that is no object', '[1]'],
    ['null', 'null'],
    ['another version', JSON.stringify({ ...configOf({ a: '1' }), apiVersion: 'v2' })],
    ['no version', JSON.stringify({ data: { a: '1' } })],
    ['what does not fit the type', JSON.stringify(configOf({ a: 1 }))],
    ['unknown fields', JSON.stringify(configOf({ a: '1' }, { color: 'red' }))],
  ];
  for (const [title, text] of useless) {
    it(`is nothing for ${title}`, () => expect(ownedOf({ a: '1' }, text)).to.deep.equal({}));
  }

  it('tells large numbers apart', () => {
    const pods = createApplySchemaCompiler(catalog).compile(catalog.type('v1.Pod'));
    const podOf = (seconds: string, more: object = {}) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', ...more },
      spec: { activeDeadlineSeconds: rawNumber(seconds) },
    });
    const owns = (applied: string, live: string): boolean => {
      const object = podOf(live, { annotations: { [annotation]: JSON.stringify(podOf(applied)) } });
      const fields = fieldsOfLastApplied({ object, apiVersion: 'v1', schema: pods }, annotation);
      return JSON.stringify(serializeFieldSet(fields)).includes('activeDeadlineSeconds');
    };
    expect(owns('9007199254740993', '9007199254740993')).to.equal(true);
    expect(owns('9007199254740993', '9007199254740992')).to.equal(false);
  });

  it('is nothing for an object without metadata', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(
      serializeFieldSet(fieldsOfLastApplied({ object, apiVersion: 'v1', schema }, annotation)),
    ).to.deep.equal({});
  });
});

describe('refreshLastApplied', () => {
  const textOf = (object: Record<string, unknown>): unknown =>
    (object as { metadata: { annotations: Record<string, unknown> } }).metadata.annotations[annotation];

  it('leaves an object without the annotation alone', () => {
    for (const live of [liveOf({}), configOf({}), { kind: 'ConfigMap' }]) {
      expect(refreshLastApplied(live, configOf({ a: '1' }), annotation)).to.equal(live);
    }
  });

  it('writes the configuration without the annotation itself, sorted, with a line end', () => {
    const config = configOf(
      { b: '1', a: '2' },
      { metadata: { annotations: { [annotation]: 'x', note: 'y' }, name: 'a' } },
    );
    expect(textOf(refreshLastApplied(liveOf({}, '{}'), config, annotation))).to.equal(
      '{"apiVersion":"v1","data":{"a":"2","b":"1"},"kind":"ConfigMap","metadata":{"annotations":{"note":"y"},"name":"a"}}\n',
    );
    expect(textOf(config)).to.equal('x');
  });

  it('writes an annotation that is empty, or grows larger than annotations may be', () => {
    expect(textOf(refreshLastApplied(liveOf({}, ''), configOf({}), annotation))).to.match(/^\{"apiVersion"/);
    const large = refreshLastApplied(liveOf({}, '{}'), configOf({ a: 'x'.repeat(256 * 1024) }), annotation);
    expect(textOf(large)).to.have.length.above(256 * 1024);
  });

  it('gives an object back whose annotation says all that', () => {
    const live = liveOf({}, `{"apiVersion":"v1","data":{},"kind":"ConfigMap","metadata":{"name":"a"}}\n`);
    expect(refreshLastApplied(live, configOf({}), annotation)).to.equal(live);
  });

  it('leaves all annotations out when one of them is no text', () => {
    for (const annotations of [null, { a: null, b: 'c' }]) {
      const config = configOf({}, { metadata: { annotations, name: 'a' } });
      expect(textOf(refreshLastApplied(liveOf({}, '{}'), config, annotation))).to.equal(
        '{"apiVersion":"v1","data":{},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
      );
    }
  });

  it('changes nothing of what it was given', () => {
    const live = liveOf({ a: '1' }, '{}');
    const before = JSON.stringify(live);
    refreshLastApplied(live, configOf({ a: '2' }), annotation);
    expect(JSON.stringify(live)).to.equal(before);
  });
});
