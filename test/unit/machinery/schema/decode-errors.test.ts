import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { decodeObject, decodeObjectBody } from '../../../../src/machinery/codec/index.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { parseGroupVersion } from '../../../../src/machinery/schema/index.ts';

interface Refused {
  readonly text: string;
  readonly error: string;
}

// What the client of release 1.20.2 says of the same files.
const refused = JSON.parse(
  readFileSync(new URL('./decode-errors.json', import.meta.url), 'utf8'),
) as readonly Refused[];

const dialect = createDialect('kubernetes');
const catalog = createTypeCatalog(dialect);

function decode(text: string): unknown {
  const bytes = Buffer.from(text);
  const value = decodeObjectBody(bytes, 'json') as { readonly apiVersion: string; readonly kind: string };
  const { group = '', version = '' } = parseGroupVersion(value.apiVersion) ?? {};
  const expected = { group, version, kind: value.kind };
  const refusal = (cause: string): Error => new Error(cause);
  return decodeObject({ value, text: bytes, catalog, dialect, expected, refusal });
}

describe('what is said of JSON that does not fit its type', () => {
  for (const { text, error } of refused) {
    it(`is as in release 1.20: ${text.replace(/\s+/g, ' ').slice(0, 120)}`, () => {
      expect(() => decode(text))
        .to.throw(Error)
        .with.property('message', error);
    });
  }

  it('is an error in words, whatever stands where', () => {
    const odd = fc.jsonValue({ maxDepth: 3 });
    const container = fc.record({ name: odd, ports: odd, env: odd, stdin: odd }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(container, { minLength: 1 }), odd, (containers, volumes) => {
        const text = JSON.stringify(
          { apiVersion: 'v1', kind: 'Pod', spec: { containers, volumes } },
          null,
          1,
        );
        try {
          decode(text);
        } catch (error) {
          expect(String(error)).to.match(/^Error: v1\.Pod\.[\s\S]*error found in #\d+ byte of /);
        }
      }),
    );
  });
});
