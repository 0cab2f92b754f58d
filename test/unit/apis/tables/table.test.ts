import { expect } from 'chai';
import {
  createTablePrinters,
  hidesAnnotations,
  partialObjectMetadata,
  singleListMeta,
  toTable,
} from '../../../../src/apis/tables/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';

const printers = createTablePrinters({ dialect: orchDialect, gates: new Set() });
const metadata = { name: 'a', resourceVersion: '7', creationTimestamp: '2021-01-01T00:00:00Z' };
const widget = { kind: 'Widget', apiVersion: 'x.example.com/v1', metadata, spec: { size: 1 } };
const base = {
  printer: printers({ group: 'x.example.com', resource: 'widgets' }),
  objects: [widget],
  listMeta: { resourceVersion: '9' },
  includeObject: 'Metadata',
  metaGroup: 'meta.orch.io',
  version: 'v1',
  nowMs: 0,
} as const;

describe('toTable', () => {
  it('shows name and time of kinds that it does not know, in wire order', () => {
    const { columnDefinitions, ...table } = toTable(base);
    expect(JSON.stringify(table)).to.equal(
      '{"kind":"Table","apiVersion":"meta.orch.io/v1","metadata":{"resourceVersion":"9"},"rows":[' +
        '{"cells":["a","2021-01-01T00:00:00Z"],"object":{"kind":"PartialObjectMetadata",' +
        '"apiVersion":"meta.orch.io/v1","metadata":{"name":"a","resourceVersion":"7",' +
        '"creationTimestamp":"2021-01-01T00:00:00Z"}}}]}',
    );
    expect(columnDefinitions?.map(({ description: _, ...column }) => column)).to.deep.equal([
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      { name: 'Created At', type: 'date', format: '', priority: 0 },
    ]);
  });

  it('includes whole objects or none', () => {
    expect(toTable({ ...base, includeObject: 'Object' }).rows?.[0]?.object).to.equal(widget);
    expect(toTable({ ...base, includeObject: 'None' }).rows?.[0]).to.have.property('object', null);
  });

  it('has an empty list of rows without objects', () => {
    expect(toTable({ ...base, objects: [] }).rows).to.deep.equal([]);
  });

  it('sorts flow schemas by precedence, then name', () => {
    const schema = (name: string, matchingPrecedence: number) => ({
      ...widget,
      metadata: { name },
      spec: { matchingPrecedence, priorityLevelConfiguration: { name: 'p' } },
      status: {},
    });
    const table = toTable({
      ...base,
      printer: printers({ group: 'flowcontrol.apiserver.orch.io', resource: 'flowschemas' }),
      objects: [schema('c', 2), schema('b', 1), schema('a', 2)],
    });
    expect(table.rows?.map((row) => row.cells?.[0])).to.deep.equal(['b', 'a', 'c']);
  });
});

describe('createTablePrinters', () => {
  it('adds columns of enabled gates', () => {
    const drivers = { group: 'storage.orch.io', resource: 'csidrivers' };
    const names = (gates: string[]) =>
      createTablePrinters({ dialect: orchDialect, gates: new Set(gates) })(drivers).columns.map(
        ({ name }) => name,
      );
    expect(names([])).to.deep.equal(['Name', 'AttachRequired', 'PodInfoOnMount', 'Modes', 'Age']);
    expect(names(['CSIServiceAccountToken'])).to.deep.equal([
      'Name',
      'AttachRequired',
      'PodInfoOnMount',
      'TokenRequests',
      'RequiresRepublish',
      'Modes',
      'Age',
    ]);
  });

  it('knows resources by the names of the dialect', () => {
    const dialect = createDialect('kubernetes');
    const printer = createTablePrinters({ dialect, gates: new Set() })({
      group: dialect.group('coordination'),
      resource: 'leases',
    });
    expect(printer.columns.map(({ name }) => name)).to.deep.equal(['Name', 'Holder', 'Age']);
  });

  it('makes a printer once per built-in resource', () => {
    const pods = { group: '', resource: 'pods' };
    expect(printers(pods)).to.equal(printers(pods));
  });
});

describe('partialObjectMetadata', () => {
  it('is the metadata alone', () => {
    expect(partialObjectMetadata(widget, { metaGroup: 'meta.orch.io', version: 'v1beta1' })).to.deep.equal({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.orch.io/v1beta1',
      metadata,
    });
  });
});

describe('partialObjectMetadata of versions', () => {
  it('shows no annotations that are of a version', () => {
    const annotations = { note: 'one', 'autoscaling.alpha.orch.io/behavior': '{}' };
    const shown = (kind: string) =>
      partialObjectMetadata(
        { kind, apiVersion: 'autoscaling/v1', metadata: { name: 'a', annotations } },
        { metaGroup: 'meta.orch.io', version: 'v1' },
      ).metadata.annotations;
    expect(shown('HorizontalPodAutoscaler')).to.deep.equal({ note: 'one' });
    expect(shown('Other')).to.equal(annotations);
    expect(hidesAnnotations({ group: 'autoscaling', kind: 'HorizontalPodAutoscaler' })).to.equal(true);
    expect(hidesAnnotations({ group: '', kind: 'Pod' })).to.equal(false);
  });
});

describe('singleListMeta', () => {
  it('takes the resource version of the object', () => {
    expect(singleListMeta(widget)).to.deep.equal({ resourceVersion: '7' });
    expect(singleListMeta({ ...widget, metadata: {} })).to.deep.equal({});
  });
});
