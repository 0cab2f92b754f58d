import { expect } from 'chai';
import { createTypeCatalog } from '../../../src/apis/catalog.ts';
import { createDefaulter } from '../../../src/apis/defaults/index.ts';
import { createResourceTable } from '../../../src/apis/resources/index.ts';
import { silentLogger } from '../../../src/base/index.ts';
import { createDialect, orchDialect } from '../../../src/machinery/dialect.ts';
import { formatGroupVersion } from '../../../src/machinery/schema/index.ts';
import { createStoredForms, type StoredFormsOptions, storageKinds } from '../../../src/registry/index.ts';
import { defaultGates } from '../../support/default-gates.ts';

type Json = Record<string, unknown>;

function formsOf(
  writtenVersions: Readonly<Record<string, string>> = {},
  dialect = orchDialect,
  overrides: Partial<StoredFormsOptions> = {},
) {
  const catalog = createTypeCatalog(dialect);
  const table = createResourceTable({ dialect, runtimeConfig: { 'api/all': 'true' } });
  return createStoredForms({
    dialect,
    catalog,
    applyDefaults: createDefaulter({ dialect, catalog, gates: defaultGates() }),
    writtenVersions: new Map(Object.entries(writtenVersions)),
    storageKinds: storageKinds(table, '/registry/'),
    logger: silentLogger,
    ...overrides,
  });
}

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const parse = (bytes: Buffer): Json => JSON.parse(bytes.toString());
const metadata = { name: 'a', namespace: 'b', uid: 'c', resourceVersion: '12', creationTimestamp: null };
const backend = { serviceName: 's', servicePort: 80 };
const ingress = (apiVersion: string, spec: Json) => ({ kind: 'Ingress', apiVersion, metadata, spec });

describe('createStoredForms', () => {
  const forms = formsOf();

  it('gives values in the storage version of every kind as they are', () => {
    const table = createResourceTable({ dialect: orchDialect, runtimeConfig: { 'api/all': 'true' } });
    const kinds = table.resources.flatMap(({ storage }) => storage ?? []);
    expect(kinds.length).to.be.greaterThan(60);
    for (const { group, version, kind } of [...kinds, ...kinds]) {
      const bytes = bytesOf({ kind, apiVersion: formatGroupVersion(group, version), metadata });
      const form = forms.read(bytes, 'key');
      expect(form.bytes, kind).to.equal(bytes);
      expect(form.isStale, kind).to.equal(false);
    }
  });

  it('converts other versions, with their defaults, and keeps the revision', () => {
    const old = ingress('extensions/v1beta1', { rules: [{ http: { paths: [{ path: '/', backend }] } }] });
    const { bytes, isStale } = forms.read(bytesOf(old), 'key');
    expect(isStale).to.equal(true);
    expect(bytes.toString()).to.match(
      /^\{"kind":"Ingress","apiVersion":"networking.orch.io\/v1beta1","metadata":\{.*"resourceVersion":"12"/,
    );
    const paths = [{ path: '/', pathType: 'ImplementationSpecific', backend }];
    expect(parse(bytes).spec).to.deep.equal({ rules: [{ http: { paths } }] });
  });

  it('puts values in order that do not begin with their kind', () => {
    const odd = bytesOf({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' }, metadata });
    const { bytes, isStale } = forms.read(odd, 'key');
    expect(isStale).to.equal(true);
    expect(bytes.toString()).to.match(/^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{/);
    expect(parse(bytes).data).to.deep.equal({ a: 'b' });
  });

  const strangers: [string, Buffer][] = [
    ['a custom resource', bytesOf({ kind: 'Widget', apiVersion: 'example.com/v1', metadata })],
    ['a version of a later release', bytesOf({ kind: 'CronJob', apiVersion: 'batch/v9', metadata })],
    ['no JSON', Buffer.from('{"apiVersion":')],
    ['another encoding', Buffer.from('k8s\0\n\f\n\u0002v1,,')],
    ['nothing', Buffer.alloc(0)],
    ['a number', Buffer.from('12')],
    ['null', Buffer.from('null')],
    ['an object without kind', bytesOf({ a: 1, b: 2, c: 3 })],
    ['a head without an end', Buffer.from(`{"kind":"${'x'.repeat(5000)}`)],
    ['kinds that are no texts', bytesOf({ apiVersion: [], kind: {}, metadata })],
  ];
  for (const [name, bytes] of strangers) {
    it(`leaves ${name} alone`, () => {
      const form = forms.read(bytes, 'key');
      expect(form.bytes).to.equal(bytes);
      expect(form.isStale).to.equal(false);
      expect(form.problem).to.equal(undefined);
    });
  }

  it('says what is wrong with a value that is not of the kind that its key is for', () => {
    const uid = '0b5a9c1e-0000-4000-8000-000000000001';
    const own = { name: 'a', namespace: 'b', uid, resourceVersion: '12', creationTimestamp: null };
    const map = (rest: Json) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: own, ...rest });
    const foreign = 'it is no ConfigMap in a version that is known';
    const unfit = 'it does not fit its kind';
    const problems: readonly [key: string, value: unknown, problem: string | undefined][] = [
      ['configmaps/b/a', map({}), undefined],
      ['configmaps/b/a', map({ metadata }), undefined],
      ['configmaps/b/a', map({ kind: 'Secret' }), foreign],
      ['configmaps/b/a', map({ apiVersion: 'v9' }), foreign],
      ['configmaps/b/a', map({ apiVersion: 'example.com/v1', kind: 'Widget' }), foreign],
      ['configmaps/b/a', { metadata }, foreign],
      ['configmaps/b/a', map({ metadata: { ...metadata, labels: 5 } }), unfit],
      ['configmaps/b/a', map({ metadata: { name: 'a', resourceVersion: '12', labels: { a: 5 } } }), unfit],
      ['ingress/b/a', ingress('networking.orch.io/v1beta1', {}), undefined],
      ['ingress/b/a', ingress('extensions/v1beta1', {}), undefined],
      ['ingress/b/a', ingress('networking.orch.io/v1', { rules: 'many' }), unfit],
      ['ranges/serviceips', { kind: 'RangeAllocation', apiVersion: 'v1', metadata }, undefined],
    ];
    for (const [key, value, problem] of problems) {
      const form = forms.read(bytesOf(value), `/registry/${key}`);
      expect(form.problem, JSON.stringify(value)).to.equal(problem);
      expect(form.bytes.length === 0).to.equal(problem !== undefined);
    }
  });

  it('blames its own mistakes on no value', () => {
    const logged: unknown[] = [];
    const broken = formsOf({}, orchDialect, {
      logger: { ...silentLogger, error: (message, fields) => logged.push([message, fields?.key]) },
      applyDefaults() {
        throw new TypeError('a mistake');
      },
    });
    const old = bytesOf(ingress('extensions/v1beta1', {}));
    const key = '/registry/ingress/b/a';
    expect(broken.read(old, key)).to.include({ problem: 'the server failed to convert it' });
    expect(broken.read(old, 'key').bytes).to.equal(old);
    expect(logged).to.deep.equal([
      ['conversion of a stored object failed', key],
      ['conversion of a stored object failed', 'key'],
    ]);
  });

  it('does not take half a value for one', () => {
    const uid = '0b5a9c1e-0000-4000-8000-000000000001';
    const whole = bytesOf({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { ...metadata, uid } });
    const read = (bytes: Buffer) => forms.read(bytes, '/registry/configmaps/b/a');
    expect(read(whole).problem).to.equal(undefined);
    expect(read(Buffer.concat([whole, Buffer.from('\n')])).problem).to.equal(undefined);
    expect(read(whole.subarray(0, -5)).problem).to.equal('it does not fit its kind');
  });

  it('writes the very bytes that it is given unless another version is wanted', () => {
    const bytes = bytesOf(ingress('networking.orch.io/v1beta1', { backend }));
    expect(forms.write(bytes)).to.equal(bytes);
  });

  describe('with other versions to write', () => {
    const own = formsOf({ 'networking.orch.io/v1beta1.Ingress': 'networking.orch.io/v1' });

    it('writes them with the revision as it was, empty or not', () => {
      for (const resourceVersion of ['', '7']) {
        const object = {
          ...ingress('networking.orch.io/v1beta1', { backend }),
          metadata: { ...metadata, resourceVersion },
        };
        const written = own.write(bytesOf(object));
        expect(written.toString()).to.include(`"resourceVersion":"${resourceVersion}"`);
        expect(parse(written)).to.deep.include({
          apiVersion: 'networking.orch.io/v1',
          spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
        });
        const read = own.read(written, 'key');
        expect(parse(read.bytes).spec).to.deep.equal({ backend });
        expect(read.isStale).to.equal(false);
      }
    });

    it('says of the usual version that it is not the one to write', () => {
      const bytes = bytesOf(ingress('networking.orch.io/v1beta1', { backend }));
      const form = own.read(bytes, 'key');
      expect(form.bytes).to.equal(bytes);
      expect(form.isStale).to.equal(true);
    });

    it('leaves other kinds alone', () => {
      const bytes = bytesOf({ kind: 'ConfigMap', apiVersion: 'v1', metadata });
      expect(own.write(bytes)).to.equal(bytes);
    });
  });

  it('knows kinds by the names of its dialect', () => {
    const other = formsOf({}, createDialect('kubernetes'));
    const read = (apiVersion: string) =>
      parse(other.read(bytesOf(ingress(apiVersion, { backend })), 'key').bytes);
    expect(read('extensions/v1beta1').apiVersion).to.equal('networking.k8s.io/v1beta1');
    expect(read('networking.orch.io/v1').apiVersion).to.equal('networking.orch.io/v1');
  });
});
