import { expect } from 'chai';
import fc from 'fast-check';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  readSourceRecord,
  writeSourceRecord,
} from '../../../../src/nodeagent/dynamic-config/checkpoint-store.ts';
import {
  isSafeName,
  isSameSource,
  readConfigSource,
  readSourceRequest,
  sourcePath,
  toNodeConfigSource,
} from '../../../../src/nodeagent/dynamic-config/config-source.ts';
import { otherDialect } from '../agent-config.ts';
import { source } from './sources.ts';

const wanted = { namespace: 'ns', name: 'map', nodeAgentConfigKey: 'main' };
const safeName = fc.stringMatching(/^[-._a-zA-Z0-9]{1,40}$/).filter((text) => text !== '.' && text !== '..');
const anySource = fc.record({
  namespace: safeName,
  name: safeName,
  key: safeName,
  uid: safeName,
  resourceVersion: safeName,
});

describe('readSourceRequest', () => {
  const read = (value: unknown) => readSourceRequest(value, orchDialect);

  it('tells local configuration from a ConfigMap and from nothing that is known', () => {
    expect(read(undefined)).to.deep.equal({ kind: 'local' });
    expect(read(null)).to.deep.equal({ kind: 'local' });
    const read1 = { kind: 'configMap', source: { namespace: 'ns', name: 'map', key: 'main' } };
    expect(read({ configMap: wanted })).to.deep.equal(read1);
    for (const empty of [{}, { configMap: null }, { other: {} }, [], 'x']) {
      expect(read(empty), JSON.stringify(empty)).to.deep.include({ kind: 'bad', failure: 'empty' });
    }
  });

  it('refuses names that could lead elsewhere', () => {
    for (const field of ['namespace', 'name', 'nodeAgentConfigKey']) {
      for (const value of ['', '.', '..', '../x', 'a/b', 'a\0', 'a\nb', 'x'.repeat(254), 7, {}, undefined]) {
        const request = read({ configMap: { ...wanted, [field]: value } });
        expect(request, `${field} ${JSON.stringify(value)}`).to.include({ kind: 'bad', failure: 'internal' });
      }
    }
  });

  it('reads the key under the name that the dialect has for it', () => {
    const [field = ''] = Object.keys(toNodeConfigSource(source(), otherDialect).configMap ?? {}).slice(-1);
    expect(field).to.match(/^(?!nodeAgent)\w+ConfigKey$/);
    const { nodeAgentConfigKey, ...rest } = wanted;
    const request = readSourceRequest({ configMap: { ...rest, [field]: nodeAgentConfigKey } }, otherDialect);
    expect(request).to.deep.include({ kind: 'configMap' });
  });
});

describe('readConfigSource', () => {
  it('needs a version, of which no part can lead elsewhere', () => {
    const versioned = { ...wanted, uid: 'u', resourceVersion: '7' };
    expect(readConfigSource({ configMap: versioned }, orchDialect)).to.deep.equal(source({ name: 'map' }));
    for (const change of [{ uid: '' }, { uid: '../u' }, { resourceVersion: undefined }, { uid: 3 }]) {
      const read = readConfigSource({ configMap: { ...versioned, ...change } }, orchDialect);
      expect(read, JSON.stringify(change)).to.include({ failure: 'internal' });
    }
    expect(readConfigSource(undefined, orchDialect)).to.include({ failure: 'empty' });
  });
});

describe('records of sources', () => {
  it('read as they were written, in each dialect', () => {
    fc.assert(
      fc.property(anySource, fc.constantFrom(orchDialect, otherDialect), (written, dialect) => {
        const read = readSourceRecord(Buffer.from(writeSourceRecord(written, dialect)), dialect);
        expect(isSameSource(read, written)).to.equal(true);
      }),
    );
  });

  it('look as those of the reference', () => {
    expect(writeSourceRecord(source(), orchDialect)).to.equal(`apiVersion: nodeagent.config.orch.io/v1beta1
kind: SerializedNodeConfigSource
source:
  configMap:
    name: map
    namespace: ns
    nodeAgentConfigKey: main
    resourceVersion: "7"
    uid: u
`);
  });

  it('are empty for none', () => {
    expect(writeSourceRecord(undefined, orchDialect)).to.equal('');
    expect(readSourceRecord(Buffer.alloc(0), orchDialect)).to.equal(undefined);
  });

  it('that hold something else are refused', () => {
    const good = writeSourceRecord(source(), orchDialect);
    const texts = [
      'x',
      '- 1',
      '{',
      'null',
      good.replace('Serialized', ''),
      good.replace('uid: u', 'uid: ../u'),
    ];
    for (const text of texts) {
      expect(() => readSourceRecord(Buffer.from(text), orchDialect), text).to.throw();
    }
    expect(() => readSourceRecord(Buffer.from(good), otherDialect)).to.throw('SerializedNodeConfigSource');
  });
});

describe('isSameSource', () => {
  it('compares every part, and none with none', () => {
    expect(isSameSource(undefined, undefined)).to.equal(true);
    expect(isSameSource(source(), undefined)).to.equal(false);
    expect(isSameSource(source(), source())).to.equal(true);
    for (const part of ['namespace', 'name', 'key', 'uid', 'resourceVersion'] as const) {
      expect(isSameSource(source(), source({ [part]: 'other' })), part).to.equal(false);
    }
  });
});

describe('names', () => {
  it('that are safe are one part of a path', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!isSafeName(text)) return;
        expect(sourcePath(source({ name: text })).split('/')).to.have.length(7);
        expect(text).to.not.match(/^\.{0,2}$|[/\0]/);
      }),
    );
  });
});
