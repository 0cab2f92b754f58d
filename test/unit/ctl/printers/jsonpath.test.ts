import { expect } from 'chai';
import { rawNumber } from '../../../../src/base/index.ts';
import { compilePath, compileTemplate, JsonPathError } from '../../../../src/ctl/printers/jsonpath/index.ts';

const object = {
  kind: 'List',
  items: [
    { name: 'a', n: 1, labels: { app: 'x', 'a.b/c': 'dotted' }, ports: [80, 81, 82] },
    { name: 'b', n: 5, labels: {}, ready: true, size: 1234567.5 },
    { name: 'c', n: 10, labels: { app: 'y' }, nothing: null },
  ],
  sizes: [1e6, 1000000.5, 0.00001, rawNumber('12345678901234567'), 1e21],
};

describe('compileTemplate', () => {
  const cases: readonly (readonly [template: string, text: string, other?: unknown])[] = [
    ['{.kind}', 'List'],
    ['{$.kind}', 'List'],
    ['kind: {.kind}!', 'kind: List!'],
    ['{.items[*].name}', 'a b c'],
    ['{.items[0].name}', 'a'],
    ['{.items[-1].name}', 'c'],
    ['{.items[-1:].name}', 'c'],
    ['{.items[0:2].name}', 'a b'],
    ['{.items[::2].name}', 'a c'],
    ['{.items[0,2].name}', 'a c'],
    ["{.items[0]['name','n']}", 'a 1'],
    ["{.items[0].labels['a\\.b/c']}", 'dotted'],
    ["{.items[0]['labels.app', 'n']}", 'x 1'],
    ['{.items[0].labels.a\\.b/c}', 'dotted'],
    ['{.items[0].labels}', '{"a.b/c":"dotted","app":"x"}'],
    ['{.items[0].ports}', '[80,81,82]'],
    ['{..name}', 'a b c'],
    ['{.items[0].labels.*}', 'dotted x'],
    ['{.items[?(@.n>1)].name}', 'b c'],
    ['{.items[?(@.n>=5)].name}', 'b c'],
    ['{.items[?(@.name=="b")].n}', '5'],
    ["{.items[?(@.name!='b')].n}", '1 10'],
    ['{.items[?(@.ready)].name}', 'b'],
    ['{.items[?(@.ready==true)].name}', 'b'],
    ['{.items[?(@.labels.app=="y")].name}', 'c'],
    ['{range .items[*]}{.name}={.n}{"\\n"}{end}', 'a=1\nb=5\nc=10\n'],
    ['{range .items[*]}{.name}{":"}{range .ports[*]}{@},{end};{end}', 'a:80,81,82,;b:;c:;'],
    ['{range .missing[*]}{.name}{"x"}{end}y', 'y'],
    ['{range .items[*]}{$.name}{@.n}{end}', 'a1b5c10'],
    ['{range .items[*]}{.name}', 'abc'],
    ['{.items[2].nothing}', '<nil>'],
    ['{.items[*].nothing}', '<nil>'],
    ['{.items[*].nothing.more}', ''],
    ['{.sizes[*]}', '1000000 1.0000005e+06 1e-05 12345678901234567 1e+21'],
    ['{.sizes}', '[1000000,1000000.5,0.00001,12345678901234567,1e+21]'],
    ['{[?(@>2.0)]}', '1.0000005e+06', [1000000.5, 1.5]],
    ['{.items[0] .name}', 'a'],
    ['{.items[0].name "text"}', 'text'],
    ['{"a" "b"}', 'b'],
    ['{"\\u00e9\\x41\\101\\""}', 'éAA"'],
    ["{'it\\'s'}", "it's"],
    ['{1}{-2}{1.5}{true}', '1-21.5true'],
    ['{.items[].name}', 'a'],
    ['{.items[1:1].name}', ''],
    ['{.items[0].name.*}', '97'],
    ['{.items[0].ports..}', '[80,81,82]'],
    ['{.items[0].labels..}', '{"a.b/c":"dotted","app":"x"} dotted x'],
    ['a{}b', 'a{"app":"y"}b', { app: 'y' }],
    ['{.items[?(@.ports[5])].name}', 'a'],
    ['{.missing}', ''],
    ['{.missing.more[0]}', ''],
    ["{'quoted }'}", 'quoted }'],
  ];
  for (const [template, text, other = object] of cases) {
    it(`formats ${template}`, () => {
      expect(compileTemplate(template, { allowsMissing: true }).format(other)).to.equal(text);
    });
  }

  const mistakes = [
    ['{', 'unclosed action'],
    ['{.a', 'unclosed action'],
    ['{.items[}', 'unterminated array'],
    ['{"open}', 'unterminated quoted string'],
    ['{"a\\qb"}', 'unquote string "a\\qb" error invalid syntax'],
    ['{.items[x]}', 'invalid array index x'],
    ['{.items[ 0 ]}', 'invalid array index  0 '],
    ['{.items["a"]}', 'invalid array index "a"'],
    ['{.items[99999999999999999999]}', 'array index 99999999999999999999 is not a number'],
    ['{....a}', 'invalid multiple recursive descent'],
    ['{#}', "unrecognized character in action: U+0023 '#'"],
    ['{.items[?(@.n>1 && @.n<3)]}', "unrecognized character in action: U+0026 '&'"],
    ['{.items[?(@.n==1}', 'unterminated filter'],
    ['{.items[?(@.n==1).a}', 'unclosed array expect ]'],
    ['{+}', 'cannot parse number +'],
    ['{1.2.3}', 'cannot parse number 1.2.3'],
  ] as const;
  for (const [template, problem] of mistakes) {
    it(`refuses ${template}`, () => {
      expect(() => compileTemplate(template, { allowsMissing: true })).to.throw(
        JsonPathError,
        `error parsing jsonpath ${template}, ${problem}`,
      );
    });
  }

  const misfits = [
    ['{end}', 'not in range, nothing to end'],
    ['{foo}', 'unrecognized identifier foo'],
    ['{.items[7]}', 'array index out of bounds: index 7, length 3'],
    ['{.items[-4]}', 'array index out of bounds: index -1, length 3'],
    ['{.items[0:4]}', 'array index out of bounds: index 3, length 3'],
    ['{.items[2:1]}', 'starting index 2 is greater than ending index 1'],
    ['{.items[::0]}', 'step must be > 0'],
    ['{.kind[0]}', 'string is not array or slice'],
    ['{.items[0].labels[0]}', 'map[string]interface {} is not array or slice'],
    [
      '{.items[1][?(@.a)]}',
      'map[labels:map[] n:5 name:b ready:true size:1.2345675e+06] is not array or slice and cannot be filtered',
    ],
    ['{.items[?(@.n<>1)]}', 'unrecognized filter operator <>'],
    ['{.items[?(@.n=="a")]}', 'incompatible types for comparison'],
    ['{.items[?(@.n>1.5)]}', 'incompatible types for comparison'],
    ['{.items[?(@.n>1.0)]}', 'incompatible types for comparison'],
    ['{.items[?(@.ready>true)]}', 'invalid type for comparison'],
    ['{.items[?(@.labels==1)]}', 'invalid type for comparison'],
    ['{.items[?(@.*==1)]}', 'can only compare one element at a time'],
  ] as const;
  for (const [template, problem] of misfits) {
    it(`fails with ${template}`, () => {
      expect(() => compileTemplate(template, { allowsMissing: true }).format(object)).to.throw(
        JsonPathError,
        `error executing jsonpath ${JSON.stringify(template)}: Error executing template: ${problem}. Printing`,
      );
    });
  }

  it('shows template and object where it fails', () => {
    expect(() => compileTemplate('{.x}', { allowsMissing: false }).format({ a: [1, null, 'b'] })).to.throw(
      'error executing jsonpath "{.x}": Error executing template: x is not found. Printing more information for debugging the \
template:\n\ttemplate was:\n\t\t{.x}\n\tobject given to jsonpath engine was:\n\t\tmap[string]interface {}{"a":[]interface {}{1, \
interface {}(nil), "b"}}\n\n',
    );
  });

  for (const template of ['{.items[*].ready}', '{.items[0:0].x}', "{.items[*]['n','ready']}"]) {
    it(`takes a field that one value has: ${template}`, () => {
      expect(() => compileTemplate(template, { allowsMissing: false }).format(object)).not.to.throw();
    });
  }

  it('lists what each part of a template found', () => {
    expect(compileTemplate('{.items[*].n}x{.kind}', { allowsMissing: true }).formatAsJson(object)).to.equal(
      '[\n    1,\n    5,\n    10\n]\n[\n    "x"\n]\n[\n    "List"\n]\n',
    );
  });

  it('does not see what objects inherit', () => {
    expect(compileTemplate('{.constructor}{.__proto__}', { allowsMissing: true }).format({})).to.equal('');
  });

  it('ranges over as many objects as there are', () => {
    const items = Array.from({ length: 60_000 }, () => ({ name: 'a' }));
    const { length } = compileTemplate('{range .items[*]}{.name}{"\\t"}{.name}{"\\n"}{end}', {
      allowsMissing: true,
    }).format({ items });
    expect(length).to.equal(4 * items.length);
  });

  it('ends for templates nested without end', () => {
    const template = '{range .items[*]}'.repeat(200);
    expect(() => compileTemplate(template, { allowsMissing: true }).format(object)).to.throw(
      'ranges are nested too deep',
    );
  });
});

describe('compilePath', () => {
  for (const path of ['.items[0].name', 'items[0].name', '{.items[0].name}', '{items[0].name}']) {
    it(`takes ${path}`, () => {
      expect(compilePath(path).find(object)).to.deep.equal(['a']);
    });
  }
  for (const [template, problem] of [
    ['{.a', 'unclosed action'],
    ['{.items[0', 'unterminated array'],
    ['{.items[0].b[', 'unterminated array'],
    ['{.items[0].b', 'unclosed action'],
    ['{.items[?(@.a=="b"', 'unterminated filter'],
    ['{"abc', 'unterminated quoted string'],
  ] as const) {
    it(`says what ${template} leaves open`, () => {
      expect(() => compileTemplate(template, { allowsMissing: true })).to.throw(problem);
    });
  }

  it('refuses braces that do not match', () => {
    expect(() => compilePath('{.a')).to.throw('unexpected path string');
  });
});
