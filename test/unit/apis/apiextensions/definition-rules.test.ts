import { expect } from 'chai';
import { create, update } from '../rule-fixture.ts';

const kind = 'apiextensions.orch.io/v1beta1.CustomResourceDefinition';
const latest = { requestApiVersion: 'apiextensions.orch.io/v1' };
const beta = { requestApiVersion: 'apiextensions.orch.io/v1beta1' };
type Fields = Record<string, unknown>;

/** A definition as it is stored, with one version that uses the schema. */
function definition(schema: unknown, spec: Fields = {}, metadata: Fields = {}): Fields {
  return {
    metadata: { name: 'widgets.a.example.com', ...metadata },
    spec: {
      group: 'a.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true }],
      preserveUnknownFields: false,
      ...(schema === undefined ? {} : { validation: { openAPIV3Schema: schema } }),
      ...spec,
    },
    status: { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
  };
}

const withProperty = (property: Fields): Fields => ({ type: 'object', properties: { a: property } });
const at = 'spec.validation.openAPIV3Schema';
const ofA = `${at}.properties[a]`;

/** Errors of a new definition, and of one that was stored as `old`. */
const created = (schema: unknown, spec: Fields = {}, request = latest): string[] =>
  create(kind, definition(schema, spec), request).errors;
const updated = (old: Fields, now: Fields, request = latest): string[] =>
  update(kind, old, now, request).errors;

describe('rules of schemas in definitions', () => {
  const cases: readonly (readonly [string, unknown, ...string[]])[] = [
    [
      'items of a set are told before the keys of a map, with their list type',
      withProperty({
        type: 'array',
        'x-orch-list-type': 'set',
        'x-orch-list-map-keys': ['k'],
        items: { type: 'object', 'x-orch-map-type': 'granular' },
      }),
      `${ofA}.items.x-orch-map-type: Invalid value: "null": must be atomic as item of a list with x-orch-list-type=set`,
      `${ofA}.x-orch-list-type: Invalid value: "set": must be map if x-orch-list-map-keys is non-empty`,
    ],
    [
      'items of what is no list are not asked to be atomic',
      withProperty({
        type: 'object',
        'x-orch-list-type': 'set',
        items: { type: 'object' },
      }),
      `${ofA}.type: Invalid value: "object": must be array if x-orch-list-type is specified`,
    ],
    [
      'a map of items wants one schema for them',
      withProperty({
        type: 'array',
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': ['k'],
        items: [{ type: 'object' }],
      }),
      `${ofA}.items: Forbidden: items must be a schema object and not an array`,
      `${ofA}.items: Invalid value: [{"type":"object"}]: must only have a single schema if x-orch-list-type is map`,
    ],
    [
      'labels of embedded objects have no defaults',
      withProperty({
        type: 'object',
        'x-orch-embedded-resource': true,
        properties: {
          metadata: {
            type: 'object',
            properties: {
              labels: { type: 'object', additionalProperties: { type: 'string', default: 'x' } },
              name: { type: 'string', default: 'x' },
            },
          },
        },
      }),
      `${ofA}.properties[metadata].properties[labels].additionalProperties.default: Forbidden: must not be set inside additionalProperties applying to object metadata`,
    ],
    [
      'errors of structure are sorted, and come after all others',
      { properties: { b: {}, a: { type: 'array' }, c: { type: 'thing' } } },
      `${at}.properties[c].type: Unsupported value: "thing": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      `${at}.properties[a].items: Required value: must be specified`,
      `${at}.properties[b].type: Required value: must not be empty for specified object fields`,
      `${at}.type: Required value: must not be empty at the root`,
    ],
    [
      'what junctors of the root know is declared',
      { type: 'object', anyOf: [{ properties: { z: { minimum: 1 } }, items: { minimum: 1 } }] },
      `${at}.items: Required value: because it is defined in ${at}.anyOf[0].items`,
      `${at}.properties[z]: Required value: because it is defined in ${at}.anyOf[0].properties[z]`,
    ],
    [
      'junctors say nothing of what a value is',
      withProperty({
        type: 'object',
        oneOf: [{ type: 'object', nullable: true, title: 't', 'x-orch-list-type': 'set' }],
        not: { properties: { metadata: {} } },
      }),
      `${ofA}.oneOf[0].type: Invalid value: "object": must be array if x-orch-list-type is specified`,
      `${ofA}.not.properties[metadata]: Forbidden: must not be specified in a nested context`,
      `${ofA}.oneOf[0].nullable: Forbidden: must be false to be structural`,
      `${ofA}.oneOf[0].title: Forbidden: must be empty to be structural`,
      `${ofA}.oneOf[0].type: Forbidden: must be empty to be structural`,
      `${ofA}.oneOf[0].x-orch-list-type: Forbidden: must be undefined to be structural`,
    ],
    [
      'an integer or a string may be named',
      withProperty({ 'x-orch-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
    ],
    [
      'also in the first of all',
      withProperty({
        'x-orch-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '(' }],
      }),
      `${ofA}.allOf[1].pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    ],
    [
      'metadata is as it is',
      { type: 'object', properties: { metadata: { type: 'object', description: 'd' } } },
      `${at}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
    [
      'embedded objects are objects with fields',
      withProperty({ 'x-orch-embedded-resource': true, additionalProperties: { type: 'string' } }),
      `${ofA}.additionalProperties: Forbidden: must not be used if x-orch-embedded-resource is set`,
      `${ofA}.properties: Required value: must not be empty if x-orch-embedded-resource is true without x-orch-preserve-unknown-fields`,
      `${ofA}.type: Required value: must be object if x-orch-embedded-resource is true`,
    ],
    [
      'defaults are pruned and of their own schema',
      withProperty({ type: 'object', default: { b: 1, c: 2 }, properties: { b: { type: 'string' } } }),
      `${ofA}.default: Invalid value: map[string]interface {}{"b":1, "c":2}: must not have unknown fields`,
      `${ofA}.default.b: Invalid value: "integer": b in body must be of type string: "integer"`,
    ],
    [
      'of defaults formats count that are unknown, and an integer or string may be anything',
      {
        type: 'object',
        properties: {
          a: { type: 'integer', default: 5, anyOf: [{ format: 'x' }] },
          b: { 'x-orch-int-or-string': true, default: true },
        },
      },
      `${ofA}.default: Invalid value: "": "" must validate at least one schema (anyOf)`,
      `${ofA}.default: Invalid value: "int64":  in body must be of type x: "int64"`,
    ],
    [
      'what structural schemas cannot say hides what is not structural',
      { properties: { a: { type: 'object', 'x-orch-preserve-unknown-fields': false } } },
      `${ofA}.x-orch-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ],
    [
      'defaults of embedded objects are whole objects',
      withProperty({
        type: 'object',
        'x-orch-embedded-resource': true,
        'x-orch-preserve-unknown-fields': true,
        default: { kind: 'A' },
      }),
      `${ofA}.default.apiVersion: Required value: must not be empty`,
    ],
    [
      'defaults within their metadata make metadata',
      withProperty({
        type: 'object',
        'x-orch-embedded-resource': true,
        properties: {
          metadata: {
            type: 'object',
            properties: {
              labels: { type: 'object', 'x-orch-preserve-unknown-fields': true, default: { 'b c': '' } },
            },
          },
        },
      }),
      `${ofA}.properties[metadata].properties[labels].default: Invalid value: map[string]interface {}{"b c":""}: must result in valid metadata: metadata.labels: Invalid value: "b c": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
    [
      'what every object has has no defaults',
      { type: 'object', properties: { kind: { type: 'string', default: 'A' } } },
      `${at}.properties[kind].default: Forbidden: must not be set in top-level kind`,
    ],
    [
      'keys of lists are scalars that are there once',
      withProperty({
        type: 'array',
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': ['k', 'k'],
        items: {
          type: 'object',
          required: ['k'],
          properties: { k: { type: 'array', items: { type: 'string' } } },
        },
      }),
      `${ofA}.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array's x-orch-list-type is map`,
      `${ofA}.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array's x-orch-list-type is map`,
      `${ofA}.x-orch-list-map-keys: Invalid value: []string{"k", "k"}: must not contain duplicate entries`,
    ],
    [
      'items are one schema',
      withProperty({ type: 'array', items: [{ type: 'string' }] }),
      `${ofA}.items: Forbidden: items must be a schema object and not an array`,
    ],
  ];
  for (const [title, schema, ...errors] of cases) {
    it(title, () => {
      expect(created(schema)).to.deep.equal(errors);
    });
  }

  it('refuses schemas that are nested too deep, and nothing else of them', () => {
    let schema: Fields = { type: 'string' };
    for (let depth = 0; depth < 900; depth++) schema = { type: 'array', items: schema };
    expect(created(withProperty(schema))).to.deep.equal([
      `${ofA}${'.items'.repeat(100)}: Forbidden: must not be nested deeper than 100`,
    ]);
  });

  it('refuses very many schemas, and nothing else of them', () => {
    const many = (count: number): Fields => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [n, { type: 'string' }])),
    });
    expect(created(many(20_000))).to.deep.equal([]);
    expect(created(many(50_000))).to.deep.equal([
      'spec.versions: Forbidden: must not have more than 50000 schemas within those of all versions',
    ]);
  });

  it('refuses patterns that nobody could wait for, one by one and together', () => {
    const errorsOf = (patterns: readonly string[]): string[] =>
      created({
        type: 'object',
        properties: Object.fromEntries(patterns.map((pattern, n) => [n, { type: 'string', pattern }])),
      });
    const large = '(a{1000}){300}';
    expect(errorsOf([large])).to.deep.equal([
      `${at}.properties[0].pattern: Invalid value: "${large}": must be a valid regular expression, but isn't: error parsing regexp: expression too large: \`\``,
    ]);
    const many = Array.from({ length: 1000 }, (_, n) => `(a{1000})x${n}`);
    expect(errorsOf(many).length).to.be.within(985, 990);
    // The same one costs nothing.
    expect(errorsOf(new Array(1000).fill('(a{1000})'))).to.deep.equal([]);
  });

  it('tells of a thousand errors, and looks no further', () => {
    const many = (count: number, property: Fields): Fields => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [n, property])),
    });
    const wrong: readonly (readonly [string, Fields])[] = [
      ['a field', { type: 'string', uniqueItems: true }],
      ['the structure', {}],
      ['what is wanted', { type: 'string', not: { type: 'string' } }],
    ];
    for (const [what, property] of wrong) {
      expect(created(many(900, property)), what).to.have.length(900);
      expect(created(many(3000, property)), what).to.have.length(1000);
    }
    const undeclared = { type: 'object', not: many(3000, { minimum: 1 }) };
    expect(created({ ...undeclared, not: { properties: undeclared.not.properties } })).to.have.length(1000);
  });

  it('refuses very many fields that tell items of a list apart, which each error would name', () => {
    const keys = Array.from({ length: 20_000 }, (_, n) => `k${n}`);
    const list = (names: readonly string[]): Fields =>
      withProperty({
        type: 'array',
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': names,
        items: { type: 'object', properties: {} },
      });
    expect(created(list(keys))).to.deep.equal([
      `${ofA}.x-orch-list-map-keys: Too many: 20000: must have at most 256 items`,
    ]);
    expect(created(list(keys.slice(0, 256)))).to.have.length(256);
  });

  it('asks the older version for less', () => {
    const loose = { preserveUnknownFields: true };
    expect(created({ properties: { b: { type: 'thing' } } }, loose, beta)).to.deep.equal([]);
    expect(created(undefined, loose, beta)).to.deep.equal([]);
    expect(created(undefined, {}, beta)).to.deep.equal([
      'spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned',
    ]);
    // Extensions are for structural schemas only.
    expect(created({ properties: { b: { 'x-orch-int-or-string': true } } }, loose, beta)).to.deep.equal([
      `${at}.type: Required value: must not be empty at the root`,
    ]);
    expect(created(withProperty({ type: 'string', default: 'x' }), {}, beta)).to.deep.equal([
      `${ofA}.default: Forbidden: must not be set (cannot set default values in apiextensions.orch.io/v1beta1 CRDs, must use apiextensions.orch.io/v1)`,
    ]);
  });
});

describe('rules of versions in definitions', () => {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [
    { name: 'v1', served: true, storage: true, schema },
    { name: 'v2', served: true, storage: false, schema },
  ];

  it('want shared fields at the top, and only there', () => {
    const shownOf = (texts: readonly string[]) => texts.map((text) => text.replace(/\[\]api.*\}\}: /, ''));
    expect(shownOf(created(undefined, { versions }, beta))).to.deep.equal([
      'spec.versions: Invalid value: per-version schemas may not all be set to identical values (top-level validation should be used instead)',
    ]);
    const columns = [{ name: 'A', type: 'string', JSONPath: '.a' }];
    const ofVersions = versions.map((version) => ({
      ...version,
      schema: undefined,
      additionalPrinterColumns: columns,
    }));
    const both = { versions: ofVersions, additionalPrinterColumns: columns };
    expect(shownOf(created({ type: 'object' }, both, beta))).to.deep.equal([
      'spec.additionalPrinterColumns: Forbidden: top-level and per-version additionalPrinterColumns are mutually exclusive',
      'spec.versions: Invalid value: per-version additionalPrinterColumns may not all be set to identical values (top-level additionalPrinterColumns should be used instead)',
    ]);
    const first = { versions: [versions[0], { ...versions[1], schema: undefined }] };
    expect(created({ type: 'object' }, first, beta)).to.deep.equal([
      'spec.validation: Forbidden: top-level and per-version schemas are mutually exclusive',
    ]);
  });

  it('name the byte where a warning cannot be printed, and only for deprecated versions', () => {
    const [version] = versions;
    const warn = (deprecated: boolean, deprecationWarning: string): string[] =>
      created(
        { type: 'object' },
        { versions: [{ ...version, schema: undefined, deprecated, deprecationWarning }] },
      );
    const path = 'spec.versions[0].deprecationWarning: Invalid value';
    expect(warn(true, 'é\u0007')).to.deep.equal([
      `${path}: "é\\a": must only contain printable UTF-8 characters; non-printable character found at index 2`,
    ]);
    expect(warn(false, '')).to.deep.equal([`${path}: "": can only be set for deprecated versions`]);
    expect(warn(true, '')).to.deep.equal([`${path}: "": must not be an empty string`]);
  });

  it('convert by webhooks only where unknown fields are pruned', () => {
    const conversion = {
      strategy: 'Webhook',
      conversionReviewVersions: ['v2'],
      webhookClientConfig: { url: 'https://a/' },
    };
    expect(created({ type: 'object' }, { conversion, preserveUnknownFields: true }, beta)).to.deep.equal([
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
      'spec.conversion.conversionReviewVersions: Invalid value: []string{"v2"}: must include at least one of v1, v1beta1',
    ]);
  });
});

describe('statuses of definitions', () => {
  it('may leave out versions in which nothing is stored any more, and are checked for names only', () => {
    const old = definition({ type: 'object' });
    const write = (status: Fields) =>
      update(kind, old, { ...old, status }, { ...latest, way: 'status' }).errors;
    const acceptedNames = { plural: 'widgets', kind: 'Widget' };
    expect(write({ acceptedNames, storedVersions: [] })).to.deep.equal([]);
    expect(write({ acceptedNames: { plural: '', kind: 'A', listKind: 'A' } })).to.deep.equal([
      'status.acceptedNames.listKind: Invalid value: "A": kind and listKind may not be the same',
    ]);
  });
});

describe('changes of definitions', () => {
  const loose = { preserveUnknownFields: true };
  /** Schemas that only what was stored already may have, and the errors of others. */
  const kept: readonly (readonly [string, Fields, Fields, ...string[]])[] = [
    [
      'types that nobody knows',
      withProperty({ type: 'thing' }),
      loose,
      `${ofA}.type: Unsupported value: "thing": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ],
    [
      'schemas without structure',
      { properties: { a: { type: 'string' } } },
      loose,
      `${at}.type: Required value: must not be empty at the root`,
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ],
    [
      'defaults with unknown fields',
      withProperty({ type: 'object', default: { b: 1 } }),
      {},
      `${ofA}.default: Invalid value: map[string]interface {}{"b":1}: must not have unknown fields`,
    ],
    [
      'items of sets that are not atomic',
      withProperty({ type: 'array', 'x-orch-list-type': 'set', items: { type: 'object' } }),
      {},
      `${ofA}.items.x-orch-map-type: Invalid value: "null": must be atomic as item of a list with x-orch-list-type=set`,
    ],
    [
      'items of sets that may be null',
      withProperty({ type: 'array', 'x-orch-list-type': 'set', items: { type: 'string', nullable: true } }),
      {},
      `${ofA}.items.nullable: Forbidden: cannot be nullable when x-orch-list-type is set`,
    ],
    [
      'reviews that nobody knows',
      { type: 'object' },
      {
        conversion: {
          strategy: 'Webhook',
          conversionReviewVersions: ['v7'],
          webhookClientConfig: { url: 'https://a/' },
        },
      },
      'spec.conversion.conversionReviewVersions: Invalid value: []string{"v7"}: must include at least one of v1, v1beta1',
    ],
  ];
  for (const [title, schema, spec, ...errors] of kept) {
    it(`may keep ${title}, but not begin with them`, () => {
      expect(created(schema, spec)).to.deep.equal(errors);
      const old = definition(schema, spec);
      expect(updated(old, definition(schema, { ...spec, scope: 'Cluster' }))).to.deep.equal([]);
      expect(updated(definition({ type: 'object' }), definition(schema, spec))).to.deep.equal(errors);
    });
  }

  it('may keep versions without schemas', () => {
    const bare = definition(undefined, loose);
    expect(updated(bare, bare)).to.deep.equal([]);
    expect(created(undefined, loose)[0]).to.equal(
      'spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required',
    );
  });

  it('may keep defaults by the older version', () => {
    const old = definition(withProperty({ type: 'string', default: 'x' }));
    expect(updated(old, old, beta)).to.deep.equal([]);
  });

  it('do not ask whether the name fits once more', () => {
    const odd = definition({ type: 'object' }, {}, { name: 'odd' });
    expect(updated(odd, odd)).to.deep.equal([]);
  });

  it('leave group and plural alone, and scope and kind once the resource is served', () => {
    const old = definition({ type: 'object' });
    const names = { plural: 'others', singular: 'widget', kind: 'Other', listKind: 'WidgetList' };
    const now = definition({ type: 'object' }, { scope: 'Cluster', names });
    expect(updated(old, now)).to.deep.equal([
      'spec.names.plural: Invalid value: "others": field is immutable',
    ]);
    const served = {
      ...old,
      status: { ...Object(old.status), conditions: [{ type: 'Established', status: 'True' }] },
    };
    expect(updated(served, now)).to.deep.equal([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Other": field is immutable',
      'spec.names.plural: Invalid value: "others": field is immutable',
    ]);
  });

  it('keep a missing or wrong approval, but do not change to one', () => {
    const approved = (note: string | undefined): Fields => {
      const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
      const annotations = note === undefined ? {} : { 'api-approved.orch.io': note };
      return definition(
        { type: 'object' },
        { group: 'a.orch.io', names },
        { name: 'widgets.a.orch.io', annotations },
      );
    };
    const errorOf = (old: string | undefined, now: string | undefined): string | undefined =>
      updated(approved(old), approved(now))[0]?.replace(/: protected.*/, '');
    expect(errorOf(undefined, undefined)).to.equal(undefined);
    expect(errorOf('nonsense', 'other nonsense')).to.equal(undefined);
    const path = 'metadata.annotations[api-approved.orch.io]';
    expect(errorOf('https://a/1', undefined)).to.equal(`${path}: Required value`);
    expect(errorOf(undefined, 'nonsense')).to.equal(`${path}: Invalid value: "nonsense"`);
    expect(errorOf('nonsense', 'unapproved, a test')).to.equal(undefined);
  });
});

describe('definitions with null in an enum', () => {
  const nullable = withProperty({ type: 'string', nullable: true, enum: ['x', null] });

  it('are refused in v1beta1', () => {
    const eof =
      'CustomResourceDefinition in version "v1beta1" cannot be handled as a CustomResourceDefinition: EOF';
    expect(() => created(nullable, {}, beta)).to.throw(eof);
    expect(() => updated(definition({ type: 'object' }), definition(nullable), beta)).to.throw(eof);
  });

  it('of v1 end where the null is', () => {
    const { object, errors } = create(kind, definition(nullable), latest);
    expect(object.spec)
      .to.have.property('versions')
      .that.deep.equals([
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: {} } },
        },
      ]);
    expect(errors.map((text) => text.replace(/Invalid value: .*: per/, 'per'))).to.deep.equal([
      'spec.versions: per-version schemas may not all be set to identical values (top-level validation should be used instead)',
    ]);
  });

  it('of v1 have no versions behind it, and no other schemas', () => {
    const versions = ['v1', 'v2'].map((name, at) => ({
      name,
      served: true,
      storage: at === 0,
      schema: {
        openAPIV3Schema:
          at === 0 ? { type: 'object', not: { enum: [1, null] }, title: 't' } : { type: 'object' },
      },
    }));
    const { object, errors } = create(kind, definition(undefined, { versions }), latest);
    expect(object.spec)
      .to.have.property('versions')
      .that.deep.equals([
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', title: 't', not: { enum: [1, null] } } },
        },
        { name: '', served: false, storage: false },
      ]);
    expect(errors[0]).to.equal(
      'spec.versions[1].schema.openAPIV3Schema: Required value: schemas are required',
    );
  });
});
