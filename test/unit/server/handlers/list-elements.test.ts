import { expect } from 'chai';
import { createTablePrinters, type IncludeObject, tableRow } from '../../../../src/apis/tables/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { metadataParts, readRowSource, rowParts } from '../../../../src/server/handlers/list-elements.ts';

const metaApiVersion = 'meta.orch.io/v1';
const nowMs = Date.parse('2021-02-03T04:05:06Z');
const printers = createTablePrinters({ dialect: orchDialect, gates: new Set() });
const managedFields = [
  { manager: 'a "b"', operation: 'Update', fieldsV1: { 'f:spec': { 'k:{"name":"c"}': { '.': {} } } } },
];
const metadata = { name: 'ä', creationTimestamp: '2021-02-03T04:05:00Z' };
const daemonSet = (fields: object): ApiObject =>
  ({
    kind: 'DaemonSet',
    apiVersion: 'apps/v1',
    metadata: { ...metadata, ...fields },
    spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { a: 'b' } } } },
    status: { desiredNumberScheduled: 3 },
  }) as unknown as ApiObject;

describe('rowParts', () => {
  const printer = printers({ group: 'apps', resource: 'daemonsets' });
  const generation = { 'deprecated.daemonset.template.generation': '1' };
  const objects: [does: string, object: ApiObject][] = [
    ['without owners', daemonSet({})],
    ['with owners', daemonSet({ managedFields })],
    ['whose annotation rows do not show', daemonSet({ annotations: generation, managedFields })],
    ['with other annotations too', daemonSet({ annotations: { ...generation, x: 'y' } })],
  ];
  for (const [does, object] of objects) {
    for (const includeObject of ['None', 'Metadata', 'Object'] satisfies IncludeObject[]) {
      it(`says of an object ${does} what its row does, with ${includeObject}`, () => {
        const options = { printer, nowMs, metaGroup: 'meta.orch.io', version: 'v1', includeObject };
        const parts = rowParts(readRowSource(Buffer.from(JSON.stringify(object))), {
          includeObject,
          metaApiVersion,
          rowOf: (shown) => tableRow(shown, options),
        });
        expect(String(Buffer.concat(parts))).to.equal(JSON.stringify(tableRow(object, options)));
      });
    }
  }
});

describe('metadataParts', () => {
  it('is the metadata alone', () => {
    const object = daemonSet({ managedFields });
    expect(
      JSON.parse(String(Buffer.concat(metadataParts(Buffer.from(JSON.stringify(object)), metaApiVersion)))),
    ).to.deep.equal({
      kind: 'PartialObjectMetadata',
      apiVersion: metaApiVersion,
      metadata: object.metadata,
    });
  });
});
