import { expect } from 'chai';
import { decodeBody, decodeObject } from '../../../../src/machinery/codec/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import { catalog } from '../codec/protobuf/random-object.ts';

const pod = { group: '', version: 'v1', kind: 'Pod' };
const read = (text: string) => {
  const bytes = Buffer.from(text);
  const value = decodeBody(bytes, 'json', 'Pod');
  return decodeObject({ value, text: bytes, catalog, dialect: orchDialect, expected: pod });
};
const podWith = (members: string): string => `{"kind":"Pod","apiVersion":"v1",${members}}`;
const messageOf = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  throw new Error('must be refused');
};

describe('a body that has a member twice', () => {
  it('is read into what was read before', () => {
    const { metadata } = read(
      podWith(
        '"metadata":{"name":"a","labels":{"a":"1","b":"1"}},"metadata":{"namespace":"n","labels":{"b":"2"}}',
      ),
    );
    expect(metadata).to.include({ name: 'a', namespace: 'n' });
    expect(metadata.labels).to.deep.equal({ a: '1', b: '2' });
  });

  it('loses what null, or a value that is read as a whole, takes the place of', () => {
    const twice =
      '"labels":{"a":"1"},"labels":null,"name":"a","name":"b","ownerReferences":[{"name":"x"}],"ownerReferences":[]';
    const { metadata } = read(podWith(`"metadata":{${twice}},"metadata":null`));
    expect(metadata).to.deep.equal({ name: 'b', creationTimestamp: null });
  });

  it('has the items of both lists as one, by their places', () => {
    const [first, second] = [
      '"containers":[{"name":"a","image":"i"},{"name":"b"}]',
      '"containers":[{"name":"c"}]',
    ];
    expect(read(podWith(`"spec":{${first},${second}}`))).to.have.nested.property(
      'spec.containers[0].image',
      'i',
    );
  });

  it('is refused when either cannot be read', () => {
    expect(messageOf(podWith('"spec":"x","spec":{}'))).to.contain(
      'v1.Pod.Spec: readObjectStart: expect { or n',
    );
  });
});

describe('a body with a number beyond all doubles', () => {
  it('is refused, wherever that stands', () => {
    for (const members of ['"zzz":1e400', '"metadata":{"creationTimestamp":-1e999}'])
      expect(messageOf(podWith(members))).to.contain('readNumberAsString: invalid number, error found in');
  });
});

describe('kind and version of a body', () => {
  it('are found whatever the case of their names, and the last counts', () => {
    expect(read('{"KIND":"Pod","Apiversion":"v1"}')).to.include({ kind: 'Pod', apiVersion: 'v1' });
    expect(messageOf(podWith('"KIND":"Nothing"'))).to.contain('no kind "Nothing" is registered');
    expect(messageOf(podWith('"Kind":1'))).to.contain('cannot unmarshal number into Go struct field .kind');
    expect(messageOf(podWith('"apiVer\u017fion":"a/b/c"'))).to.contain(
      'unexpected GroupVersion string: a/b/c',
    );
  });
});
