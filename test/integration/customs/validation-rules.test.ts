import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { definitionsPath, establish, widget, widgetDefinition } from '../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const flag = '--runtime-config=apiextensions.orch.io/v1/validationrules';
const group = 'rules.example.com';
const path = `/apis/${group}/v1/namespaces/default/widgets`;

/** A definition whose `spec` has this schema. */
function definitionWith(spec: JsonObject, root: JsonObject = {}, of = group): JsonObject {
  const schema = { type: 'object', properties: { spec: { type: 'object', ...spec } }, ...root };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    subresources: { status: {} },
  };
  return widgetDefinition(of, { versions: [version] });
}

const rulesOf = (...rules: JsonObject[]): JsonObject => ({ 'x-orch-validations': rules });

const spec = {
  properties: {
    min: { type: 'integer' },
    max: { type: 'integer' },
    name: { type: 'string', maxLength: 20, ...rulesOf({ rule: 'self == oldSelf', message: 'name is kept' }) },
    ports: {
      type: 'array',
      maxItems: 10,
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: 20 }, port: { type: 'integer' } },
        ...rulesOf({ rule: 'self.port >= oldSelf.port', message: 'ports only grow' }),
      },
      ...rulesOf({
        rule: 'self.all(p, p.port > 0)',
        messageExpression: '"ports are positive, not " + string(self.map(p, p.port).min())',
      }),
    },
    tags: {
      type: 'object',
      maxProperties: 5,
      additionalProperties: { type: 'string', maxLength: 10, ...rulesOf({ rule: 'self != "bad"' }) },
    },
    many: {
      type: 'array',
      maxItems: 400,
      items: { type: 'integer' },
      ...rulesOf({ rule: 'self.all(a, self.all(b, a + b >= 0))' }),
    },
  },
  ...rulesOf(
    { rule: 'self.min <= self.max', reason: 'FieldValueForbidden', fieldPath: '.min' },
    {
      rule: '!oldSelf.hasValue() || self.max >= oldSelf.value().max',
      message: 'max only grows',
      optionalOldSelf: true,
    },
  ),
};

describe('rules in schemas of custom resources', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({ flags: [flag] });
    admin = server.admin;
    await establish(admin, definitionWith(spec));
  });
  after(() => server.stop());
  afterEach(() => admin.expect('DELETE', path));

  const right = { min: 1, max: 2, name: 'a' };
  const create = (changes: JsonObject) =>
    admin.send('POST', path, { body: widget(group, 'w', { spec: { ...right, ...changes } }) });
  const causesOf = (body: JsonObject): string[] =>
    (body.details?.causes ?? []).map(({ field, message }: JsonObject) => `${field}: ${message}`);

  const cases: ReadonlyArray<readonly [name: string, changes: JsonObject, causes: readonly string[]]> = [
    ['nothing in what holds', { ports: [{ name: 'a', port: 1 }], tags: { a: 'b' } }, []],
    [
      'a rule of the object, at another field',
      { min: 3 },
      ['spec.min: Forbidden: failed rule: self.min <= self.max'],
    ],
    [
      'a message that is an expression',
      {
        ports: [
          { name: 'a', port: 3 },
          { name: 'b', port: -1 },
        ],
      },
      ['spec.ports: Invalid value: "array": ports are positive, not -1'],
    ],
    [
      'members of maps',
      { tags: { a: 'bad', b: 'good' } },
      ['spec.tags[a]: Invalid value: "string": failed rule: self != "bad"'],
    ],
    [
      'what cannot be evaluated',
      { ports: [{ name: 'a' }] },
      ['spec.ports: Invalid value: "array": no such key: port evaluating rule: self.all(p, p.port > 0)'],
    ],
    [
      'what would hold up the server',
      { many: Array.from({ length: 400 }, (_, at) => at) },
      [
        'spec.many: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: self.all(a, self.all(b, a + b >= 0))',
      ],
    ],
  ];
  for (const [name, changes, causes] of cases) {
    it(`find ${name}`, async () => {
      const { code, body } = await create(changes);
      expect(causesOf(body)).to.deep.equal(causes);
      expect(code).to.equal(causes.length === 0 ? 201 : 422);
    });
  }

  it('run after all else is right', async () => {
    const { body } = await create({ min: 'three', tags: { a: 'bad' } });
    expect(causesOf(body)).to.have.length(1);
  });

  it('compare with the old object where there is one', async () => {
    await create({
      ports: [
        { name: 'a', port: 5 },
        { name: 'b', port: 5 },
      ],
    });
    const patch = (changes: JsonObject) =>
      admin.send('PATCH', `${path}/w`, {
        contentType: 'application/merge-patch+json',
        body: { spec: changes },
      });
    expect(causesOf((await patch({ name: 'b' })).body)).to.deep.equal([
      'spec.name: Invalid value: "string": name is kept',
    ]);
    expect(causesOf((await patch({ max: 1 })).body)).to.deep.equal([
      'spec: Invalid value: "object": max only grows',
    ]);
    const ports = [
      { name: 'c', port: 1 },
      { name: 'b', port: 4 },
      { name: 'a', port: 6 },
    ];
    expect(causesOf((await patch({ ports })).body)).to.deep.equal([
      'spec.ports[1]: Invalid value: "object": ports only grow',
    ]);
    expect((await patch({ max: 3, ports: ports.slice(2) })).code).to.equal(200);
  });

  const wrong: ReadonlyArray<readonly [spec: JsonObject, causes: readonly string[]]> = [
    [
      { properties: { a: { type: 'integer' } }, ...rulesOf({ rule: 'self.b > 1' }) },
      [
        'rule: Invalid value: "self.b > 1": compilation failed: ERROR: <input>:1:5: undefined field \'b\'\n | self.b > 1\n | ....^',
      ],
    ],
    [
      { properties: { a: { type: 'integer' } }, ...rulesOf({ rule: 'self.a' }) },
      ['rule: Invalid value: "self.a": cel expression must evaluate to bool'],
    ],
    [rulesOf({ rule: '' }), ['rule: Required value: rule is not specified']],
    [rulesOf({ rule: 'true', other: 1 }), ['other: Forbidden: unknown field of a rule']],
    [
      rulesOf({ rule: 'true', fieldPath: '.nothing' }),
      ['fieldPath: Invalid value: ".nothing": fieldPath must be a valid path'],
    ],
    [
      rulesOf({ rule: 'true', reason: 'Because' }),
      [
        'reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
  ];
  const place = 'spec.validation.openAPIV3Schema.properties[spec].x-orch-validations[0].';
  for (const [given, causes] of wrong) {
    it(`are refused in a definition: ${causes[0]?.slice(0, 70)}`, async () => {
      const { code, body } = await admin.send('POST', definitionsPath, {
        body: definitionWith(given, {}, 'wrong.example.com'),
      });
      expect(causesOf(body)).to.deep.equal(causes.map((text) => place + text));
      expect(code).to.equal(422);
    });
  }

  it('are refused when they could cost too much', async () => {
    const list = { type: 'array', items: { type: 'array', items: { type: 'string' } } };
    const rule = 'self.list.all(a, a.all(b, self.list.all(c, c.all(d, b == d))))';
    const body = definitionWith({ properties: { list }, ...rulesOf({ rule }) }, {}, 'costly.example.com');
    const causes = causesOf((await admin.send('POST', definitionsPath, { body })).body);
    expect(causes[0]).to.equal(
      `${place}rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`,
    );
  });
});

describe('rules about what was stored before them', () => {
  const of = 'ratchet.example.com';
  const objects = `/apis/${of}/v1/namespaces/default/widgets`;
  const small = rulesOf({ rule: 'self < 5', message: 'too large' });
  const first = {
    properties: {
      size: { type: 'integer' },
      other: { type: 'integer' },
      atomic: { type: 'array', maxItems: 5, items: { type: 'integer' } },
      named: {
        type: 'array',
        maxItems: 5,
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 9 }, size: { type: 'integer' } },
        },
      },
      members: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
    },
  };
  const { size, atomic, named, members } = first.properties;
  const item = { ...named.items, properties: { ...named.items.properties, size: { ...size, ...small } } };
  const later = {
    properties: {
      ...first.properties,
      size: { ...size, ...small },
      atomic: { ...atomic, items: { type: 'integer', ...small } },
      named: { ...named, items: item },
      members: { ...members, additionalProperties: { type: 'integer', ...small } },
    },
    ...rulesOf({ rule: '!has(self.other) || self.other != oldSelf.size', message: 'other is as size was' }),
  };
  const values = { size: 9, atomic: [9], named: [{ name: 'a', size: 9 }], members: { a: 9 } };
  let server: TestServer;
  let admin: ApiClient;
  beforeEach(async () => {
    server = await startTestServer({ flags: [flag] });
    admin = server.admin;
    await establish(admin, definitionWith(first, {}, of));
    await admin.create(objects, widget(of, 'w', { spec: values }));
    const definition = `${definitionsPath}/widgets.${of}`;
    const { body: stored } = await admin.get(definition);
    const { spec: wanted } = definitionWith(later, {}, of);
    await admin.expect('PUT', definition, { body: { ...stored, spec: { ...stored.spec, ...wanted } } });
  });
  afterEach(() => server.stop());

  const patch = (changes: JsonObject) =>
    admin.send('PATCH', `${objects}/w`, {
      contentType: 'application/merge-patch+json',
      body: { spec: changes },
    });
  const told = async (changes: JsonObject) => {
    const { code, body, headers } = await patch(changes);
    const causes = (body.details?.causes ?? []).map(({ field }: JsonObject) => field);
    const warnings = Array.from(
      String(headers.warning ?? '').matchAll(/299 - "([^:]*):/g),
      ([, field]) => field,
    );
    return { code, causes, warnings };
  };
  const all = ['spec.atomic[0]', 'spec.members[a]', 'spec.named[0].size', 'spec.size'];

  it('warn of what stays as it is', async () => {
    const { code, causes, warnings } = await told({ other: 1 });
    expect([code, causes, warnings.sort()]).to.deep.equal([200, [], all]);
  });

  const changes: readonly (readonly [JsonObject, string])[] = [
    [{ size: 8 }, 'spec.size'],
    [{ atomic: [9, 1] }, 'spec.atomic[0]'],
    [{ named: [{ name: 'a', size: 8 }] }, 'spec.named[0].size'],
    [{ members: { a: 8 } }, 'spec.members[a]'],
  ];
  for (const [change, field] of changes) {
    it(`refuse what changes, and warn of the rest: ${JSON.stringify(change)}`, async () => {
      const { code, causes, warnings } = await told(change);
      expect([code, causes]).to.deep.equal([422, [field]]);
      expect(warnings.sort()).to.deep.equal(all.filter((each) => each !== field));
    });
  }

  it('know items of a list by their keys', async () => {
    const { code, causes, warnings } = await told({
      named: [
        { name: 'b', size: 7 },
        { name: 'a', size: 9 },
      ],
    });
    expect([code, causes]).to.deep.equal([422, ['spec.named[0].size']]);
    expect(warnings).to.include('spec.named[1].size');
  });

  it('refuse what is wrong beside what is stored, however it was before', async () => {
    expect((await told({ other: 9 })).causes).to.deep.equal(['spec']);
  });
});

describe('a server that was not told of rules', () => {
  it('drops them, with a warning', async () => {
    const server = await startTestServer();
    try {
      const { admin } = server;
      const { code, headers, body } = await admin.send('POST', definitionsPath, {
        body: definitionWith(spec),
      });
      expect(code).to.equal(201);
      expect(headers.warning).to.equal(
        '299 - "x-orch-validations was dropped: this server runs no such rules unless --runtime-config=apiextensions.orch.io/v1/validationrules turns them on"',
      );
      expect(JSON.stringify(body.spec)).not.to.contain('validations');
    } finally {
      await server.stop();
    }
  });
});
