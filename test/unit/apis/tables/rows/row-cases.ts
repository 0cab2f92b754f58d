import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { createTablePrinters } from '../../../../../src/apis/tables/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../../src/machinery/meta/index.ts';

/**
 * A type, its resource, an object in short, and its cells in a table. The name is `a`; the object was created 30
 * seconds before 2021-01-01T00:00:30Z.
 */
export type RowCase = readonly [type: string, resource: string, object: object, cells: readonly unknown[]];

const catalog = createTypeCatalog(orchDialect);
const printers = createTablePrinters({ dialect: orchDialect, gates: new Set() });
const nowMs = Date.UTC(2021, 0, 1, 0, 0, 30);
const creationTimestamp = '2021-01-01T00:00:00Z';

/** Tests of the cells of objects of one group. */
export function describeRows(group: string, cases: readonly RowCase[]): void {
  describe(`createTablePrinters for objects of ${group}`, () => {
    for (const [type, resource, object, cells] of cases) {
      it(`shows ${resource} as ${JSON.stringify(cells)}`, () => {
        const { metadata, ...rest } = object as { metadata?: object };
        const decoded = catalog
          .type(type)
          .decode({ metadata: { name: 'a', creationTimestamp, ...metadata }, ...rest });
        const slash = type.indexOf('/');
        const printer = printers({ group: slash < 0 ? '' : type.slice(0, slash), resource });
        // The decoder of a kind gives an object of the kind.
        expect(printer.row(decoded as unknown as ApiObject, nowMs).cells).to.deep.equal(cells);
      });
    }
  });
}
