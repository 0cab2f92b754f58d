import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { createProtobufCompiler } from '../../../../../src/machinery/codec/protobuf/index.ts';
import { createDialect } from '../../../../../src/machinery/dialect.ts';
import { catalog, kindNames, objectsOf } from './random-object.ts';
import { actualTree, expectedTree } from './wire-tree.ts';

const compiler = createProtobufCompiler(catalog);
const runsPerKind = 12;

describe('messages of every kind', () => {
  it('are known for all kinds of the API', () => {
    expect(kindNames.length).to.be.greaterThan(250);
    for (const name of kindNames) expect(compiler.type(name).name).to.equal(name);
  });

  it('read back as the canonical object that they were written from', () => {
    for (const name of kindNames) {
      const message = compiler.type(name);
      const check = (object: Record<string, unknown>): void => {
        const back = message.decode(message.encode(object));
        expect(JSON.stringify(back), name).to.equal(JSON.stringify(object));
      };
      fc.assert(fc.property(objectsOf(name), check), { numRuns: runsPerKind });
    }
  });

  it('have the fields, numbers, order and values that the data asks for', () => {
    for (const name of kindNames) {
      const message = compiler.type(name);
      const check = (object: Record<string, unknown>): void => {
        expect(actualTree(name, message.encode(object)), name).to.deep.equal(expectedTree(name, object));
      };
      fc.assert(fc.property(objectsOf(name), check), { numRuns: 3 });
    }
  }).timeout(60_000);

  it('write every value of an empty object that is not nullable', () => {
    for (const name of kindNames) {
      const empty = catalog.type(name).decode({});
      const message = compiler.type(name);
      expect(message.encode({}).toString('hex'), name).to.equal(message.encode(empty).toString('hex'));
      expect(actualTree(name, message.encode({})), name).to.deep.equal(expectedTree(name, {}));
      expect(message.decode(new Uint8Array(0)), name).to.deep.equal(empty);
    }
  });

  it('are the same bytes in the other dialect', () => {
    const dialect = createDialect('kubernetes');
    const other = createProtobufCompiler(createTypeCatalog(dialect));
    for (const name of kindNames) {
      const bytes = compiler.type(name).encode({});
      expect(other.type(dialect.spell(name)).encode({}).equals(bytes), name).to.equal(true);
    }
    const nodeInfo = { nodeAgentVersion: 'v1.20.2', orchProxyVersion: 'p' };
    const spelled = Object.fromEntries(
      Object.entries(nodeInfo).map(([key, value]) => [dialect.spell(key), value]),
    );
    const bytes = other.type('v1.NodeSystemInfo').encode(spelled);
    expect(bytes.equals(compiler.type('v1.NodeSystemInfo').encode(nodeInfo))).to.equal(true);
    expect(other.type('v1.NodeSystemInfo').decode(bytes)).to.include(spelled);
  });
});
