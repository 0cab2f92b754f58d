import { expect } from 'chai';
import fc from 'fast-check';
import { BodySyntaxError, maxBodyDepth, parseYaml } from '../../../../src/machinery/codec/index.ts';

const read = (text: string): unknown => parseYaml(Buffer.from(text));

describe('YAML documents', () => {
  const rows: readonly (readonly [title: string, text: string, json: string])[] = [
    ['nothing', '', 'null'],
    ['comments alone', '# a\n\n# b\n', 'null'],
    ['a document mark alone', '---\n', 'null'],
    ['the first of several', 'a: 1\n---\nb: 2\n', '{"a":1}'],
    ['the first, whatever the next is', 'a: 1\n---\n{b: [', '{"a":1}'],
    ['the first after comments', '# c\n---\n# d\na: 1\n...\n{', '{"a":1}'],
    ['what is in brackets, whatever comes behind it', '{"a":1} extra {', '{"a":1}'],
    ['what is in quotes, too', '"a" b', '"a"'],
    ['markers in texts', 'a: |\n  ---\n  x\nb: 2\n', '{"a":"---\\nx\\n","b":2}'],
    ['an empty first one', '---\n---\na: 1\n', 'null'],
    ['one after a directive', '%YAML 1.1\n---\na: 1\n', '{"a":1}'],
    ['one with an end mark', 'a: 1\n...\n', '{"a":1}'],
    ['one with a byte order mark', '\ufeffa: 1\n', '{"a":1}'],
    ['lines that end with CRLF', 'a: 1\r\nb:\r\n- 2\r\n', '{"a":1,"b":[2]}'],
    ['lists at the column of their key', 'a:\n- 1\n- 2\nb: 3\n', '{"a":[1,2],"b":3}'],
    ['lists of lists', '- - 1\n  - 2\n- - 3\n', '[[1,2],[3]]'],
    ['maps in lists', '- a: 1\n  b: 2\n- a: 3\n', '[{"a":1,"b":2},{"a":3}]'],
    ['keys without values', 'a:\nb: {c: }\n', '{"a":null,"b":{"c":null}}'],
    ['flow collections over lines', 'a: [1,\n  2, {b: 3,\n  c: 4},]\n', '{"a":[1,2,{"b":3,"c":4}]}'],
    ['JSON', '{"b": [1, true, null, "x"], "a": {"c": 1.5}}', '{"a":{"c":1.5},"b":[1,true,null,"x"]}'],
    ['JSON with escapes', '{"a":"\\u00e9\\n\\"","b":"/"}', '{"a":"é\\n\\"","b":"/"}'],
    ['keys sorted by their text', 'c: 1\nB: 2\na: 3\n"10": 4\n"9": 5\n', '{"9":5,"10":4,"B":2,"a":3,"c":1}'],
    ['keys that are no texts', '1: a\n1.5: b\ntrue: c\n', '{"1":"a","1.5":"b","true":"c"}'],
    [
      'keys that are numbers, with 32 bits',
      '1e6: a\n0.1: b\n123456789.5: c\n.inf: d\n1e-7: e\n',
      '{".inf":"d","0.1":"b","1.2345679e+08":"c","1e+06":"a","1e-07":"e"}',
    ],
    ['explicit keys', '? a\n: 1\n? b\n', '{"a":1,"b":null}'],
    ['the last of equal keys', 'a: 1\na: 2\n', '{"a":2}'],
    ['a key that is an ordinary one here', '__proto__: {x: 1}\n', '{"__proto__":{"x":1}}'],
    ['anchors and aliases', 'a: &x [1]\nb: *x\nc: &y z\nd: *y\n', '{"a":[1],"b":[1],"c":"z","d":"z"}'],
    ['an anchor named twice', 'a: &x 1\nb: &x 2\nc: *x\n', '{"a":1,"b":2,"c":2}'],
    ['merged maps', 'b: &b {k: 1, l: 2}\nm:\n  <<: *b\n  l: 3\n', '{"b":{"k":1,"l":2},"m":{"k":1,"l":3}}'],
    ['the later of own and merged keys', 'b: &b {k: 1}\nm:\n  k: 2\n  <<: *b\n', '{"b":{"k":1},"m":{"k":1}}'],
    [
      'several merged maps, the first winning',
      'a: &a {k: 1}\nb: &b {k: 2, l: 3}\nm: {<<: [*a, *b]}\n',
      '{"a":{"k":1},"b":{"k":2,"l":3},"m":{"k":1,"l":3}}',
    ],
    [
      'tags that nobody knows',
      'a: !x 5\nb: !x {c: !!foo [1]}\nd: !<tag:x,2000:y> yes\n',
      '{"a":"5","b":{"c":[1]},"d":"yes"}',
    ],
    [
      'brackets that close left of their key',
      'a:\n  b: {\n"c": [1,\n2\n],\n# }\nd: it\'s }\n  e: 3\n',
      '{"a":{"b":{"c":[1,2],"d":"it\'s"},"e":3}}',
    ],
    ['tabs within brackets', 'a:\n  b: {\n\t"c": "1"\n\t}\n', '{"a":{"b":{"c":"1"}}}'],
    [
      'brackets in quotes in brackets',
      'a:\n  b: [\n"]", \'}\'\'\',\n"\\"]"]\n',
      '{"a":{"b":["]","}\'","\\"]"]}}',
    ],
    [
      'quoted texts whose lines begin anywhere',
      "a:\n  b: \"x\ny\\\nz\n\n w\"\n  c: 'p\n''q\n'\n",
      '{"a":{"b":"x yz\\nw","c":"p \'q "}}',
    ],
    ['more of them than lines', `a:\n${'  - [\n]\n  - "\n"\n'.repeat(3)}`, '{"a":[[]," ",[]," ",[]," "]}'],
    ['a quoted merge key, which is a key', '"<<": 1\n', '{"<<":1}'],
  ];
  for (const [title, text, json] of rows) {
    it(`read ${title}`, () => expect(JSON.stringify(read(text))).to.equal(json));
  }

  it('share nothing between aliases', () => {
    const value = read('a: &x {k: [1]}\nb: *x\n') as { a: { k: number[] }; b: { k: number[] } };
    value.a.k.push(2);
    expect(value.b.k).to.deep.equal([1]);
  });
});

describe('lines that begin too far left', () => {
  it('are moved as often as a manifest needs', () => {
    const text = `a:\n${'  - {\n"b": "c\n"}\n'.repeat(200)}`;
    expect(read(text)).to.deep.equal({ a: Array.from({ length: 200 }, () => ({ b: 'c ' })) });
  });

  it('are read however many they are', () => {
    const lists = read(`a:\n${'  - [\n]\n'.repeat(20_000)}`) as { a: unknown[] };
    expect(lists.a).to.have.length(20_000);
  });
});

describe('text that is no YAML', () => {
  const rows: readonly (readonly [title: string, text: string, message: string | RegExp])[] = [
    ['a map in a value', 'a: b: c', 'yaml: mapping values are not allowed in this context'],
    [
      'the same further down',
      'x: 1\na: b: c\n',
      'yaml: line 2: mapping values are not allowed in this context',
    ],
    ['an unknown alias', 'a: *x\n', "yaml: unknown anchor 'x' referenced"],
    ['an open list', 'a: [1, 2', /^yaml: (?:line \d+: )?did not find expected ',' or ']'/],
    ['an open text', 'a: "x', /^yaml: (?:line \d+: )?found unexpected end of stream/],
    ['another open text', "a: 'x", /^yaml: (?:line \d+: )?found unexpected end of stream/],
    ['a tab for indentation', 'a:\n\tb: 1\n', 'yaml: line 2: found character that cannot start any token'],
    ['a wrong escape', 'a: "\\q"\n', 'yaml: found unknown escape character'],
    ['half a character', 'a: "\\ud83d"\n', 'yaml: found invalid Unicode character escape code'],
    ['half a character in a key', '"\\ud83d": 1\n', 'yaml: found invalid Unicode character escape code'],
    ['an escape beyond Unicode', 'a: "\\U00110000"\n', 'yaml: found invalid Unicode character escape code'],
    ['a control character', 'a: 1\nb: x\u0001\n', 'yaml: control characters are not allowed'],
    ['a null byte', 'a: x\0\n', 'yaml: control characters are not allowed'],
    ['a key that is a list', '[a]: 1\n', 'yaml: invalid map key: []interface {}{"a"}'],
    ['a key that is a map', '? {a: 1}\n: 2\n', 'yaml: invalid map key: map[interface {}]interface {}{"a":1}'],
    [
      'a key that is nothing',
      '~: {a: [1, x, 1.5, true]}\n',
      'Unsupported map key of type: %!s(<nil>), key: <nil>, value: map[interface {}]interface {}{"a":[]interface {}{1, "x", 1.5, true}}',
    ],
    ['nothing for nothing', '? \n', 'Unsupported map key of type: %!s(<nil>), key: <nil>, value: <nil>'],
    [
      'a key of more than 63 bits',
      '18446744073709551615: 1',
      'Unsupported map key of type: uint64, key: 0xffffffffffffffff, value: 1',
    ],
    [
      'a wrong tag behind a key that is nothing',
      'x: {~: 1}\na: !!null b\n',
      'yaml: cannot decode !!str `b` as a !!null',
    ],
    ['a colon without a key', ': \n', 'yaml: did not find expected key'],
    ['an empty list as a key', 'a: 1\n[]: 2\n', 'yaml: line 1: did not find expected key'],
    ['a line in the middle of a map', 'a:\n  b: 1\n c: 2\n', 'yaml: line 2: did not find expected key'],
    ['a list behind a value', 'a: 1\n- b\n', 'yaml: line 1: did not find expected key'],
    ['text without a colon', 'a: 1\nb\nc: 2\n', "yaml: line 3: could not find expected ':'"],
    ['a map in a list at its column', '- a\nb: 1\n', "yaml: line 1: did not find expected '-' indicator"],
    ['a list in a line', 'a: - b\n', 'yaml: block sequence entries are not allowed in this context'],
    ['an unknown version', '%YAML 1.2\n---\na: 1\n', 'yaml: found incompatible YAML document'],
    [
      'a directive without a document',
      '%YAML 1.1\na: 1\n',
      'yaml: line 1: did not find expected <document start>',
    ],
    ['a tag of an unknown handle', 'a: !x!y z\n', 'yaml: found undefined tag handle'],
    ['a tag that does not fit', 'a: !!int b\n', 'yaml: cannot decode !!str `b` as a !!int'],
    ['binary data that are none', 'a: !!binary "a"\n', 'yaml: !!binary value contains invalid base64 data'],
    ['an alias in itself', 'a: &a [*a]\n', "yaml: anchor 'a' value contains itself"],
    ['a merged number', 'a: {<<: 1}\n', 'yaml: map merge requires map or sequence of maps as the value'],
    ['an unknown escape of JSON', '{"a": "\\/"}', 'yaml: found unknown escape character'],
    ['half a document in UTF-16', '\ufffea: [', 'yaml: control characters are not allowed'],
    ['brackets that nothing closes', 'a:\n  b: {\nc: 1\n', /did not find expected/],
    ['a closing bracket too many', ']', /^yaml: /],
    ...['a: @x', 'a: `x', '- %x', '@x', '{a: @b}'].map((text): readonly [string, string, string] => [
      `a reserved indicator in ${text}`,
      text,
      'yaml: found character that cannot start any token',
    ]),
    ['one further down', 'x: 1\na: @x\n', 'yaml: line 2: found character that cannot start any token'],
  ];
  for (const [title, text, message] of rows) {
    it(`is refused: ${title}`, () => expect(() => read(text)).to.throw(BodySyntaxError, message));
  }

  for (const [bytes, message] of [
    [[0xff], 'invalid leading UTF-8 octet'],
    [[0x80], 'invalid leading UTF-8 octet'],
    [[0xc3], 'incomplete UTF-8 octet sequence'],
    [[0xc3, 0x28], 'invalid trailing UTF-8 octet'],
    [[0xc0, 0x80], 'invalid length of a UTF-8 sequence'],
    [[0xe0, 0x80, 0x80], 'invalid length of a UTF-8 sequence'],
    [[0xed, 0xa0, 0x80], 'invalid Unicode character'],
    [[0xf4, 0x90, 0x80, 0x80], 'invalid Unicode character'],
  ] as const) {
    it(`is refused: bytes that are no UTF-8, such as ${Buffer.from(bytes).toString('hex')}`, () => {
      const text = Buffer.concat([Buffer.from('a: \u00fc\u{1f600}'), Buffer.from(bytes)]);
      expect(() => parseYaml(text)).to.throw(BodySyntaxError, new RegExp(`^yaml: ${message}$`));
    });
  }

  const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  it('is refused where it nests too deep, in flow and in blocks', () => {
    expect(() => read(deep(maxBodyDepth - 1))).to.not.throw();
    expect(() => read(deep(maxBodyDepth + 10))).to.throw(BodySyntaxError);
    const blocks = Array.from({ length: maxBodyDepth + 10 }, (_, level) => `${' '.repeat(level)}a:\n`).join(
      '',
    );
    expect(() => read(blocks)).to.throw(BodySyntaxError);
  });

  it('is refused where aliases multiply, not where they repeat', () => {
    const list = `a: &a [${'x,'.repeat(100)}]\n`;
    expect(() => read(`${list}b: [${'*a,'.repeat(100)}]\n`)).to.not.throw();
    const bomb = Array.from({ length: 7 }, (_, level) => {
      const inner = level === 0 ? 'x,' : `*l${level - 1},`;
      return `l${level}: &l${level} [${inner.repeat(10)}]\n`;
    });
    expect(() => read(bomb.join(''))).to.throw(BodySyntaxError, 'yaml: document contains excessive aliasing');
  });

  it('may hold itself without end', () => {
    expect(() => read('&a [*a]')).to.throw(BodySyntaxError);
    expect(() => read('a: &a {b: *a}')).to.throw(BodySyntaxError);
  });
});

describe('JSON read as YAML', () => {
  /** JSON text whose objects have their names sorted as YAML's reader sorts them. */
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const names = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
    return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]));
  };

  it('is what JSON means', () => {
    // Characters that YAML does not allow even in quotes are left out.
    const text = fc.string({ unit: 'grapheme', maxLength: 8 });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(value, (given) => {
        expect(read(JSON.stringify(given))).to.deep.equal(sorted(given));
      }),
    );
  });
});
