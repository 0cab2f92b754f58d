import { expect } from 'chai';
import { compilePath, compileTemplate, JsonPathError } from '../../../../src/ctl/printers/jsonpath/index.ts';

const object = {
  kind: 'List',
  items: [
    { name: 'a', n: 1, labels: { app: 'x', 'a.b/c': 'dotted' }, ports: [80, 81, 82] },
    { name: 'b', n: 5, labels: {}, ready: true, size: 1234567.5 },
    { name: 'c', n: 10, labels: { app: 'y' }, nothing: null },
  ],
};

describe('compileTemplate', () => {
  const cases: readonly (readonly [template: string, text: string])[] = [
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
    ["{.items[0].labels['a.b/c']}", 'dotted'],
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
    ['{.items[2].nothing}', 'null'],
    ['{.items[1].size}', '1.2345675e+06'],
    ['{.missing}', ''],
    ['{.missing.more[0]}', ''],
    ["{'quoted }'}", 'quoted }'],
  ];
  for (const [template, text] of cases) {
    it(`formats ${template}`, () => {
      expect(compileTemplate(template, { allowsMissing: true }).format(object)).to.equal(text);
    });
  }

  const mistakes = [
    '{',
    '{.a',
    '{range .items[*]}{.name}',
    '{end}',
    '{.items[}',
    '{"open}',
    '{foo}',
    '{.items[x]}',
    '{.items[]}',
  ];
  for (const template of mistakes) {
    it(`refuses ${template}`, () => {
      expect(() => compileTemplate(template, { allowsMissing: true })).to.throw(JsonPathError);
    });
  }

  it('fails for missing fields unless they are allowed', () => {
    expect(() => compileTemplate('{.x}', { allowsMissing: false }).format({})).to.throw(
      'error executing jsonpath "{.x}": Error executing template: x is not found',
    );
  });

  it('fails for an index outside of a list', () => {
    expect(() => compileTemplate('{.items[7]}', { allowsMissing: true }).format(object)).to.throw(
      'array index out of bounds: index 7, length 3',
    );
  });

  it('does not see what objects inherit', () => {
    expect(compileTemplate('{.constructor}{.__proto__}', { allowsMissing: true }).format({})).to.equal('');
  });

  it('ends for templates nested without end', () => {
    const template = '{range .items[*]}'.repeat(200);
    expect(() => compileTemplate(template, { allowsMissing: true })).to.throw('ranges are nested too deep');
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
