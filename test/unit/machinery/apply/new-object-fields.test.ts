import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { takeSteps } from '../../../../src/base/index.ts';
import type { FieldSet } from '../../../../src/machinery/apply/fieldpath/field-set.ts';
import { serializeFieldSet } from '../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import { type ApplySchema, createApplySchemaCompiler } from '../../../../src/machinery/apply/index.ts';
import {
  createAppliedFields,
  createNewObjectFields,
} from '../../../../src/machinery/apply/managed-fields/new-object-fields.ts';
import { compareTyped, differs, isSame } from '../../../../src/machinery/apply/typed/compare.ts';
import { toFieldSet } from '../../../../src/machinery/apply/typed/to-field-set.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

type Json = Record<string, unknown>;

const catalog = createTypeCatalog(orchDialect);
const type = catalog.type('v1.Pod');
const pod = createApplySchemaCompiler(catalog).compile(type);

/** Few names, so that pods often have the same fields, with other values. */
const names = fc.subarray(['a', 'b', 'c'], { minLength: 1 });
const podArbitrary = fc
  .record({
    containers: names,
    labels: names,
    ports: fc.subarray([80, 81]),
    image: fc.constantFrom('x', 'y'),
    generateName: fc.constantFrom('', 'web-'),
  })
  .map(
    ({ containers, labels, ports, image, generateName }): Json =>
      type.decode({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'p',
          generateName,
          labels: Object.fromEntries(labels.map((name) => [name, image])),
        },
        spec: {
          containers: containers.map((name) => ({
            name,
            image,
            ports: ports.map((containerPort) => ({ containerPort, protocol: 'TCP' })),
          })),
        },
      }),
  );

/** All steps of finding the fields of a new object. */
const newFieldsAtOnce = (options: { readonly capacity: number }) => {
  const fieldsOf = createNewObjectFields(options);
  return (schema: ApplySchema, object: Record<string, unknown>): FieldSet =>
    takeSteps(fieldsOf(schema, object));
};

/** As the first object that anybody makes. */
const anew = (object: Json): unknown => serializeFieldSet(newFieldsAtOnce({ capacity: 1 })(pod, object));

describe('createNewObjectFields', () => {
  it('finds the same fields whatever was made before', () => {
    fc.assert(
      fc.property(fc.array(podArbitrary, { minLength: 2, maxLength: 12 }), (objects) => {
        const fieldsOf = newFieldsAtOnce({ capacity: 2 });
        for (const object of objects) {
          expect(serializeFieldSet(fieldsOf(pod, object))).to.deep.equal(anew(object));
        }
      }),
    );
  });

  it('finds the same value for objects of one template, and no other after one of another template', () => {
    const fieldsOf = newFieldsAtOnce({ capacity: 10 });
    const object = (name: string, labels: Json): Json =>
      type.decode({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels } });
    const first = fieldsOf(pod, object('a', { app: 'x' }));
    expect(fieldsOf(pod, object('b', { app: 'y' }))).to.equal(first);
    expect(fieldsOf(pod, object('c', { app: 'z' }))).to.equal(first);
    const other = fieldsOf(pod, object('d', { app: 'x', tier: 'y' }));
    expect(serializeFieldSet(other)).to.deep.equal({
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:tier': {} } },
    });
    const fewer = fieldsOf(pod, object('e', {}));
    expect(serializeFieldSet(fewer)).to.deep.equal({});
  });

  it('finds the fields of what has no metadata', () => {
    const fieldsOf = newFieldsAtOnce({ capacity: 2 });
    const found = fieldsOf(pod, { apiVersion: 'v1', kind: 'Pod', spec: { nodeName: 'n' } });
    expect(serializeFieldSet(found)).to.deep.equal({ 'f:spec': { 'f:nodeName': {} } });
  });

  it('remembers no more templates than it may', () => {
    const fieldsOf = newFieldsAtOnce({ capacity: 2 });
    const object = (namespace: string): Json => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace, labels: { app: 'x' } },
    });
    const first = fieldsOf(pod, object('one'));
    expect(fieldsOf(pod, object('one'))).to.equal(first);
    for (const namespace of ['two', 'three']) fieldsOf(pod, object(namespace));
    expect(fieldsOf(pod, object('one'))).not.to.equal(first);
  });
});

describe('createAppliedFields', () => {
  it('gives a set with the same fields, and the one of last time where a template has not changed', () => {
    fc.assert(
      fc.property(fc.array(podArbitrary, { minLength: 2, maxLength: 12 }), (objects) => {
        const fieldsOf = createAppliedFields({ capacity: 2 });
        for (const object of objects) {
          const set = toFieldSet(pod.root, object);
          const usual = fieldsOf(object, set);
          expect(serializeFieldSet(usual)).to.deep.equal(serializeFieldSet(set));
          expect(fieldsOf(object, toFieldSet(pod.root, object))).to.equal(usual);
        }
      }),
    );
  });
});

describe('differs', () => {
  it('says whether a comparison finds anything', () => {
    fc.assert(
      fc.property(podArbitrary, podArbitrary, fc.boolean(), (one, another, isCopy) => {
        const before = one;
        const after = isCopy ? structuredClone(one) : another;
        expect(differs(pod.root, before, after)).to.equal(!isSame(compareTyped(pod.root, before, after)));
      }),
    );
  });

  it('fails where a comparison does', () => {
    const twice = { spec: { containers: [{ name: 'a' }, { name: 'a' }] } };
    expect(() => compareTyped(pod.root, {}, twice)).to.throw();
    expect(() => differs(pod.root, {}, twice)).to.throw();
  });

  it('takes values without fields for different in nothing that has a name', () => {
    expect(differs(pod.root, undefined, {})).to.equal(!isSame(compareTyped(pod.root, undefined, {})));
  });
});
