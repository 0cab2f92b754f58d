import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CachedObject, type SelectableFields } from '../../../../src/storage/watch-cache/cached-object.ts';

const labels = '"labels":{"app":"web","x/y":"1"}';
const head = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"';

function cached(text: string, selectableFields?: SelectableFields): CachedObject {
  const scope = { resourcePrefix: '/registry/pods/', selectableFields };
  return new CachedObject(scope, { key: '/registry/pods/a/a', revision: 7, bytes: Buffer.from(text) });
}

describe('CachedObject.labels', () => {
  const expected = { app: 'web', 'x/y': '1' };
  const template = `"spec":{"template":{"metadata":{"resourceVersion":"",${labels}}}}`;
  const cases: readonly (readonly [name: string, text: string, labels: Record<string, string>])[] = [
    ['right after the revision', `${head},${labels}}}`, expected],
    [
      'after scalars',
      `${head},"generation":3,"creationTimestamp":"2020-01-01T00:00:00Z",${labels},"annotations":{}}}`,
      expected,
    ],
    ['none at all', `${head}},"spec":{}}`, {}],
    ['none, but in a template', `${head}},${template}}`, {}],
    ['none, but annotations', `${head},"annotations":{"labels":"x"}},${template}}`, {}],
    ['none, but owners', `${head},"ownerReferences":[{"name":"b"}]},${template}}`, {}],
    [
      'none, but managed fields',
      `${head},"managedFields":[{"fieldsV1":{"f:metadata":{"labels":{"f:a":{}}}}}]}}`,
      {},
    ],
    ['empty', `${head},"labels":{}}}`, {}],
    ['braces and quotes in values', `${head},"labels":{"a":"}{\\"","b":"\\\\"}}}`, { a: '}{"', b: '\\' }],
    ['null', `${head},"labels":null},${template}}`, {}],
    [
      'before the revision, as foreign writers order them',
      `{"metadata":{${labels},"resourceVersion":"7"}}`,
      expected,
    ],
    [
      'behind a field that this program does not know',
      `${head},"other":{"labels":{"a":"b"}},${labels}}}`,
      expected,
    ],
  ];
  for (const [name, text, result] of cases) {
    it(`finds labels: ${name}`, () => expect(cached(text).labels).to.deep.equal(result));
  }

  it('parses once', () => {
    const object = cached(`${head},${labels}}}`);
    expect(object.labels).to.equal(object.labels);
  });
});

describe('CachedObject', () => {
  it('asks for selectable fields once and keeps no tree', () => {
    const calls: unknown[] = [];
    const object = cached(`${head}},"spec":{"nodeName":"n1"}}`, (prefix, tree) => {
      calls.push([prefix, tree]);
      return { 'spec.nodeName': 'n1' };
    });
    expect(object.fields['spec.nodeName']).to.equal('n1');
    expect(object.fields).to.equal(object.fields);
    expect(calls).to.have.lengthOf(1);
    expect(calls[0]).to.deep.equal(['/registry/pods/', object.decode()]);
  });

  it('has no fields when nobody says which', () => expect(cached(`${head}}}`).fields).to.deep.equal({}));

  it('decodes a new tree each time', () => {
    const object = cached(`${head}}}`);
    expect(object.decode()).to.deep.equal(object.decode());
    expect(object.decode()).to.not.equal(object.decode());
  });

  it('makes a memo once per name', () => {
    const object = cached(`${head}}}`);
    const first = object.memo('a', () => Buffer.from('1'));
    expect(object.memo('a', () => Buffer.from('2'))).to.equal(first);
    expect(object.memo('b', () => Buffer.from('3')).toString()).to.equal('3');
  });
});
