import { expect } from 'chai';
import { decodeObject } from '../../../../../src/machinery/codec/index.ts';
import {
  createProtobufCompiler,
  decodeProtobufBody,
  encodeEnvelope,
} from '../../../../../src/machinery/codec/protobuf/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { StatusError } from '../../../../../src/machinery/errors/index.ts';
import { catalog, randomObject } from './random-object.ts';

const compiler = createProtobufCompiler(catalog);
const expected = { group: '', version: 'v1', kind: 'ConfigMap' };
const framed = compiler.type('v1.ConfigMap').encodeFramed({ metadata: { name: 'a' }, data: { k: 'v' } });

function read(bytes: Buffer): unknown {
  const value = decodeProtobufBody({ bytes, compiler, expected });
  return decodeObject({ value, catalog, dialect: orchDialect, expected });
}

function refusalOf(bytes: Buffer): string {
  try {
    read(bytes);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    expect(error.code).to.equal(400);
    return error.message;
  }
  throw new Error('nothing was refused');
}

describe('decodeProtobufBody', () => {
  const head = 'the object provided is unrecognized (must be of type ConfigMap): ';
  const prefix = `${head}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]`;
  const wrong = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
  const table: readonly (readonly [string, Buffer, string])[] = [
    // The first three are recorded answers of the reference.
    ['garbage', Buffer.from('garbage'), `${prefix} (67617262616765)`],
    [
      'JSON',
      Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"j"}}'),
      `${prefix} ({"apiVersion":"v1","kind":"Con ...)`,
    ],
    ['an empty body', Buffer.alloc(0), `${head}empty data (<empty>)`],
    [
      'a message that is cut',
      encodeEnvelope({ apiVersion: 'v1', kind: 'ConfigMap' }, Buffer.from('12020a05', 'hex')),
      `${wrong}unexpected EOF`,
    ],
    [
      'another kind',
      encodeEnvelope({ apiVersion: 'v1', kind: 'Secret' }, framed),
      'Secret in version "v1" cannot be handled as a ConfigMap: ' +
        'converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      'an unknown version',
      encodeEnvelope({ apiVersion: 'v9', kind: 'ConfigMap' }, framed),
      'ConfigMap in version "v9" cannot be handled as a ConfigMap: ' +
        `no kind "ConfigMap" is registered for version "v9" in scheme "${orchDialect.schemeName}"`,
    ],
  ];
  for (const [what, bytes, message] of table) {
    it(`refuses ${what} as the reference does`, () => {
      expect(refusalOf(bytes)).to.equal(message);
    });
  }

  it('takes kind and version of the endpoint where the envelope names none', () => {
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', creationTimestamp: null },
      data: { k: 'v' },
    };
    expect(read(encodeEnvelope({ apiVersion: '', kind: '' }, framed))).to.deep.equal(object);
    expect(read(encodeEnvelope({ apiVersion: 'v1', kind: 'ConfigMap' }, framed))).to.deep.equal(object);
  });

  it('gives what the same object in JSON gives', () => {
    const pods = { group: '', version: 'v1', kind: 'Pod' };
    for (let seed = 0; seed < 20; seed++) {
      const object = randomObject('v1.Pod', seed);
      const bytes = encodeEnvelope(
        { apiVersion: 'v1', kind: 'Pod' },
        compiler.kind(pods).encodeFramed(object),
      );
      const value = decodeProtobufBody({ bytes, compiler, expected: pods });
      const options = { catalog, dialect: orchDialect, expected: pods };
      expect(decodeObject({ value, ...options })).to.deep.equal(decodeObject({ value: object, ...options }));
    }
  });

  it('does not read a message that will be refused for its kind', () => {
    const bytes = encodeEnvelope({ apiVersion: 'v1', kind: 'PodList' }, Buffer.from('12021200', 'hex'));
    const value = decodeProtobufBody({ bytes, compiler, expected });
    expect(value).to.deep.equal({ kind: 'PodList', apiVersion: 'v1' });
  });
});
