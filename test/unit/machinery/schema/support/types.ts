import {
  createTypeCompiler,
  type FieldData,
  type TypeData,
} from '../../../../../src/machinery/schema/index.ts';

const text = (n: string): FieldData => ({ n, t: 'string', omit: 1 });

/** One type with every kind of field, small enough to know its canonical form by heart. */
const types: Readonly<Record<string, TypeData>> = {
  'x/v1.Thing': {
    kind: 1,
    f: [
      { n: 'kind', t: 'string', omit: 1, meta: 1 },
      { n: 'apiVersion', t: 'string', omit: 1, meta: 1 },
      { n: 'metadata', t: 'x/v1.Meta', omit: 1 },
      { n: 'spec', t: 'x/v1.Spec', omit: 1 },
      { n: 'parent', t: 'x/v1.Thing', ptr: 1, omit: 1 },
    ],
  },
  'x/v1.Meta': { f: [text('name'), { n: 'labels', t: 'map<string,string>', omit: 1 }] },
  'x/v1.Spec': {
    f: [
      { n: 'replicas', t: 'int32', ptr: 1, omit: 1 },
      { n: 'cpu', t: 'Quantity', omit: 1 },
      { n: 'port', t: 'IntOrString', omit: 1 },
      { n: 'since', t: 'Time', ptr: 1, omit: 1 },
      { n: 'paused', t: 'bool', omit: 1 },
      { n: 'ratio', t: 'double', omit: 1 },
      { n: 'total', t: 'int64', omit: 1 },
      { n: 'key', t: 'bytes', omit: 1 },
      { n: 'items', t: 'list<x/v1.Item>', omit: 1 },
      { n: 'limits', t: 'map<string,Quantity>', omit: 1 },
      { n: 'anything', t: 'any', ptr: 1, omit: 1 },
    ],
  },
  'x/v1.Nothing': { f: [] },
  'x/v1.Item': {
    f: [
      { n: 'name', t: 'string' },
      { n: 'size', t: 'int32', omit: 1 },
    ],
  },
};

/** Compiles types made of given rows, named `x/v1.T`, beside the ones above. */
export const compileFields = (fields: readonly FieldData[]) =>
  createTypeCompiler({
    find: (name) => (name === 'x/v1.T' ? { f: fields } : types[name]),
  }).type('x/v1.T');

export const compiler = createTypeCompiler({ find: (name) => types[name] });
export const thing = compiler.type('x/v1.Thing');
