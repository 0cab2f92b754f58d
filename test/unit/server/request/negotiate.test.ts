import { expect } from 'chai';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { Negotiator, type Restrictions } from '../../../../src/server/request/negotiate.ts';
import { expectStatus } from '../../../support/expect-status.ts';

const protobuf = orchDialect.protobufMediaType;
const negotiator = new Negotiator(orchDialect, protobuf);
const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
const partial = `${protobuf};as=PartialObjectMetadata;g=meta.orch.io;v=v1`;
const unknownTypes = '406: Not Acceptable';
const unknownForms = `only the following media types are accepted: application/json, application/yaml, ${protobuf}`;

describe('Negotiator', () => {
  const cases: [accept: string | undefined, expected: object, restrictions?: Restrictions][] = [
    [undefined, { encoding: 'json', contentType: 'application/json' }],
    ['', { encoding: 'json' }],
    ['*/*', { encoding: 'json' }],
    ['*', { encoding: 'json' }, { hasRouter: false }],
    ['application/*', { encoding: 'json' }, { hasRouter: false }],
    ['application/*, application/yaml;q=0.5', { encoding: 'yaml' }],
    ['application/*;q=0.5, application/yaml', { encoding: 'yaml' }],
    ['application/json', { encoding: 'json' }],
    ['application/json;q=0', { encoding: 'json' }],
    ['application/json; charset=utf-8', { encoding: 'json', contentType: 'application/json' }],
    ['application/yaml', { encoding: 'yaml', contentType: 'application/yaml' }],
    ['text/html, */*;q=0.1', { encoding: 'json' }],
    ['application/yaml;q=0.1, application/json', { encoding: 'json' }],
    ['*/*, application/yaml', { encoding: 'yaml' }],
    [protobuf, { encoding: 'protobuf', contentType: protobuf }],
    [`${protobuf},application/json`, { encoding: 'protobuf' }],
    [`application/json;q=0.9,${protobuf}`, { encoding: 'protobuf' }],
    [`${protobuf},application/json`, { encoding: 'json' }, { hasProtobuf: false }],
    [partial, { encoding: 'protobuf', as: 'PartialObjectMetadata', contentType: protobuf }],
    [partial, { encoding: 'protobuf', as: 'PartialObjectMetadata' }, { hasProtobuf: false }],
    [`${partial},application/json`, { encoding: 'json', asVersion: '' }, { hasForms: false }],
    ['application/json;v=v1,application/yaml', { encoding: 'yaml' }],
    [table, { encoding: 'json', as: 'Table', asVersion: 'v1' }],
    [table.replace('v=v1', 'v=v1beta1'), { as: 'Table', asVersion: 'v1beta1' }],
    [`${table.replace('v=v1', 'v=v9')},application/json`, { encoding: 'json', asVersion: '' }],
    [`${table.replace('application/json', protobuf)},${table}`, { encoding: 'json', as: 'Table' }],
    [`${table},application/json`, { encoding: 'json', asVersion: '' }, { hasForms: false }],
    [`${table},application/json`, { encoding: 'json', asVersion: '' }, { hasTable: false }],
    [table.replace('=Table', '=PartialObjectMetadata'), { as: 'PartialObjectMetadata' }, { hasTable: false }],
    [table.replace('json', 'yaml'), { encoding: 'yaml', as: 'Table' }],
    ['application/json;as=PartialObjectMetadata;g=meta.orch.io;v=v1', { as: 'PartialObjectMetadata' }],
    ['application/json;pretty=1', { encoding: 'json', isPretty: true }],
    ['application/json;pretty=0', { encoding: 'json', isPretty: false }],
    ['application/json;stream=watch', { encoding: 'json' }],
    ['application/json;stream=other,application/yaml', { encoding: 'yaml' }],
    ['application/yaml;stream=watch,application/json', { encoding: 'json' }],
    ['application/json;as=', { encoding: 'json', asVersion: '' }],
    ['application/json;AS=Table;G=meta.orch.io;V=v1', { encoding: 'json', asVersion: '' }],
    ['application/json;sv=v1', { encoding: 'json' }],
    ['application/json;sv=v2,application/yaml', { encoding: 'yaml' }],
  ];
  for (const [accept, expected, restrictions] of cases) {
    it(`serves ${accept} ${JSON.stringify(restrictions ?? {})}`, () => {
      expect(negotiator.choose(accept, restrictions)).to.deep.include(expected);
      // The second answer comes out of memory.
      expect(negotiator.choose(accept, restrictions)).to.deep.include(expected);
    });
  }

  const refused: [accept: string, message: string, restrictions?: Restrictions][] = [
    ['text/html', unknownTypes],
    ['nonsense', unknownTypes],
    [table, unknownForms, { hasTable: false }],
    ['application/*', unknownTypes],
    ['application/*, text/*', unknownTypes],
    ['APPLICATION/JSON', unknownTypes],
    [table.replace('v=v1', 'v=v9'), unknownForms],
    [table.replace('meta.orch.io', 'other'), unknownForms],
    [table.replace('Table', 'Chair'), unknownForms],
    [table.replace('application/json', protobuf), unknownForms],
    [table, unknownForms, { hasForms: false }],
    ['application/json;g=meta.orch.io;v=v1', unknownForms],
    ['*/*;v=v1', unknownForms],
    ['application/json;as="Table";g=meta.orch.io;v=v1', unknownForms],
    ['*', unknownTypes],
    ['text/html', unknownForms, { hasRouter: false }],
    [protobuf, unknownForms, { hasProtobuf: false }],
    ['application/json;stream=other', unknownForms],
  ];
  for (const [accept, message, restrictions] of refused) {
    it(`refuses ${accept}, also the second time ${JSON.stringify(restrictions ?? {})}`, async () => {
      const expected = { code: 406, reason: 'NotAcceptable', message };
      await expectStatus(() => negotiator.choose(accept, restrictions), expected);
      await expectStatus(() => negotiator.choose(accept, restrictions), expected);
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
    expect(other.choose(dialect.protobufMediaType).encoding).to.equal('protobuf');
    await expectStatus(() => other.choose(table), { code: 406 });
  });

  it('names streams by their media type, but those of JSON', () => {
    expect(negotiator.streamOf(negotiator.choose(undefined)).contentType).to.equal('application/json');
    expect(negotiator.streamOf(negotiator.choose('application/json;stream=watch')).contentType).to.equal(
      'application/json',
    );
    for (const accept of [protobuf, `${protobuf};stream=watch`]) {
      expect(negotiator.streamOf(negotiator.choose(accept)).contentType).to.equal(`${protobuf};stream=watch`);
    }
    expect(negotiator.streamOf(negotiator.choose(partial)).as).to.equal('PartialObjectMetadata');
  });

  it('has no streams in YAML, even where JSON would do', async () => {
    const message = `only the following media types are accepted: application/json;stream=watch, ${protobuf};stream=watch`;
    for (const accept of ['application/yaml', 'application/yaml,application/json']) {
      await expectStatus(() => negotiator.streamOf(negotiator.choose(accept)), { code: 406, message });
    }
  });
});
