import { expect } from 'chai';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { Negotiator } from '../../../../src/server/request/negotiate.ts';
import { expectStatus } from '../../../support/expect-status.ts';

const negotiator = new Negotiator(orchDialect, orchDialect.protobufMediaType);

describe('Negotiator', () => {
  const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
  const cases: [accept: string | undefined, expected: object][] = [
    [undefined, { encoding: 'json', contentType: 'application/json' }],
    ['', { encoding: 'json' }],
    ['*/*', { encoding: 'json' }],
    ['application/*', { encoding: 'json' }],
    ['application/json', { encoding: 'json' }],
    ['application/yaml', { encoding: 'yaml', contentType: 'application/yaml' }],
    ['text/html, */*;q=0.1', { encoding: 'json' }],
    ['application/yaml;q=0.1, application/json', { encoding: 'json' }],
    [table, { encoding: 'json', as: 'Table', asVersion: 'v1' }],
    [table.replace('v=v1', 'v=v1beta1'), { as: 'Table', asVersion: 'v1beta1' }],
    [`${table.replace('v=v1', 'v=v9')},application/json`, { encoding: 'json', asVersion: '' }],
    [table.replace('json', 'yaml'), { encoding: 'yaml', as: 'Table' }],
    [
      'application/json;as=PartialObjectMetadata;g=meta.orch.io;v=v1',
      { encoding: 'json', as: 'PartialObjectMetadata' },
    ],
  ];
  for (const [accept, expected] of cases) {
    it(`serves ${accept}`, () => {
      expect(negotiator.choose(accept)).to.deep.include(expected);
      // The second answer comes out of memory.
      expect(negotiator.choose(accept)).to.deep.include(expected);
    });
  }

  const refused = [
    'text/html',
    'application/json;q=0',
    table.replace('v=v1', 'v=v9'),
    table.replace('meta.orch.io', 'other'),
    table.replace('Table', 'Chair'),
    'nonsense',
  ];
  for (const accept of refused) {
    it(`refuses ${accept}, also the second time`, async () => {
      const expected = {
        code: 406,
        reason: 'NotAcceptable',
        message:
          'only the following media types are accepted: application/json, application/yaml, application/vnd.orch.protobuf',
      };
      await expectStatus(() => negotiator.choose(accept), expected);
      await expectStatus(() => negotiator.choose(accept), expected);
    });
  }

  it('stays right when clients send ever new headers', () => {
    for (let n = 0; n < 2000; n++) {
      expect(negotiator.choose(`application/yaml;x=${n}`).encoding).to.equal('yaml');
    }
    expect(negotiator.choose(table).as).to.equal('Table');
  });

  it('knows forms by the group of its dialect', async () => {
    const dialect = createDialect('kubernetes');
    const other = new Negotiator(dialect, dialect.protobufMediaType);
    const accept = `application/json;as=Table;g=${dialect.group('meta')};v=v1`;
    expect(other.choose(accept).as).to.equal('Table');
    await expectStatus(() => other.choose(table), { code: 406 });
  });
});
