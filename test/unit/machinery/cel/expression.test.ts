import { expect } from 'chai';
import {
  type CelType,
  CostExceeded,
  compileExpression,
  dyn,
  type Expression,
  Failure,
  jsonValue,
  Meter,
  Optional,
  schemaType,
} from '../../../../src/machinery/cel/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const object = {
  name: 'web',
  count: 3,
  share: 0.5,
  labels: { app: 'web', 'app.example.com/part': 'x' },
  list: [3, 1, 2],
  names: ['a', 'b'],
  items: [{ name: 'one', port: 80 }, { name: 'two' }],
  none: null,
  'dashed-name': 1,
};

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 63 },
    count: { type: 'integer' },
    share: { type: 'number' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    list: { type: 'array', items: { type: 'integer' }, maxItems: 100 },
    names: { type: 'array', items: { type: 'string' } },
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
    },
    'dashed-name': { type: 'integer' },
    since: { type: 'string', format: 'date-time' },
    port: { 'x-orch-int-or-string': true },
    anything: { type: 'object', 'x-orch-preserve-unknown-fields': true },
  },
};

const typed = schemaType(schema, orchDialect, true) ?? dyn;

function compiled(text: string, type: CelType = dyn): Expression {
  const expression = compileExpression(text, { variables: new Map([['self', type]]) });
  if ('fault' in expression) throw new Error(expression.fault);
  return expression;
}

function faultOf(text: string, type: CelType = typed): string {
  const expression = compileExpression(text, { variables: new Map([['self', type]]) });
  return 'fault' in expression ? expression.fault : 'none';
}

function evaluate(text: string, type: CelType = dyn, value: unknown = object): unknown {
  const meter = new Meter(1_000_000);
  return compiled(text, type).evaluate(() => jsonValue(value, type, meter), meter);
}

describe('compileExpression', () => {
  const values: ReadonlyArray<readonly [text: string, value: unknown]> = [
    ["self.name == 'web'", true],
    ['self.count + 1', 4n],
    ['self.share * 2.0', 1],
    ["self.labels['app.example.com/part']", 'x'],
    ["'app' in self.labels", true],
    ['has(self.labels.app) && !has(self.labels.other)', true],
    ['self.items.all(i, has(i.port) ? i.port > 0 : true)', true],
    ["self.items.exists_one(i, i.name == 'two')", true],
    ["self.items.filter(i, has(i.port)).map(i, i.name + '!')", ['one!']],
    ["self.labels.map(key, key).exists(key, key == 'app')", true],
    ['self.list.isSorted()', false],
    ['self.list.sum()', 6n],
    ['self.list.min() + self.list.max()', 4n],
    ['self.list.indexOf(2)', 2n],
    ['self.names.lastIndexOf("a")', 0n],
    ['"a1b22".findAll("[0-9]+")', ['1', '22']],
    ['"a1b22".findAll("[0-9]+", 1)', ['1']],
    ['"a1b22".find("[0-9]+")', '1'],
    ['self.name.matches("^w")', true],
    ['"%s has %d".format([self.name, self.count])', 'web has 3'],
    ['quantity("1Gi").isGreaterThan(quantity("1000Mi"))', true],
    ['quantity("200M").add(quantity("100M")).asInteger()', 300_000_000n],
    ['isQuantity("1Gix")', false],
    ['url("https://user@example.com:8443/a/b?c=d&c=e").getPort()', '8443'],
    ['url("https://example.com/a/b?c=d&c=e").getQuery()["c"]', ['d', 'e']],
    ['isURL("nothing")', false],
    ['ip("::1").isLoopback()', true],
    ['ip.isCanonical("2001:DB8::1")', false],
    ['cidr("192.168.0.0/16").containsIP("192.168.3.4")', true],
    ['cidr("192.168.0.0/16").containsCIDR(cidr("192.168.3.0/24"))', true],
    ['string(cidr("192.168.3.4/16").masked())', '192.168.0.0/16'],
    ['sets.intersects(self.names, ["b", "c"])', true],
    ['format.dns1123Label().validate("web").hasValue()', false],
    ['self.?name.orValue("none")', 'web'],
    ['self.?missing.?deeper.orValue("none")', 'none'],
    ['self.list[?7].hasValue()', false],
    ['self.?count.optMap(c, c * 2).value()', 6n],
    ['self.labels.`app.example.com/part`', 'x'],
    ['has(self.labels.`app.example.com/part`) && !has(self.labels.`a/b`)', true],
    ['self.?`dashed-name`.orValue(7) + self.`count`', 4n],
    ['"`a`." + \'.`b`\'', '`a`..`b`'],
    ['[?self.?name, ?self.?missing, "x"]', ['web', 'x']],
    ['[[?self.?missing], ?self.?list].size()', 2n],
    ['{?"a": self.?missing, "b": 1, ?"c": self.?count}.size()', 2n],
    ['{?"c": self.?count}.c', 3n],
    ['[ // none\n ? (self.?missing), 1] == [1]', true],
    ['[self.count > 1 ? 1 : 2, ?optional.of(self.count > 5 ? 3 : 4)]', [1n, 4n]],
    ['{"a": [?self.?missing], ?"b": self.?name} == {"a": [], "b": "web"}', true],
    ['[?self.?count].map(x, x + 1)', [4n]],
    ["'.?x [?y' + \"'.?z\"", ".?x [?y'.?z"],
    ['self.missing == 1 || true', true],
    ['self.items.exists(i, i.port == 80)', true],
    ['timestamp("2021-03-04T00:00:00Z") - timestamp("2021-03-03T00:00:00Z") == duration("24h")', true],
    ['self.none == null', true],
  ];
  for (const [text, value] of values) {
    it(`evaluates ${text}`, () => expect(evaluate(text)).to.deep.equal(value));
  }

  const failures: ReadonlyArray<readonly [text: string, message: string]> = [
    ['self.missing == 1', 'no such key: missing'],
    ['self.list[7]', 'index out of bounds: 7'],
    ['self.count / 0', 'division by zero'],
    ['9223372036854775807 + self.count', 'integer overflow'],
    ['self.name + self.count', 'no such overload: _+_(string, int)'],
    ['self.items.all(i, i.port > 0)', 'no such key: port'],
    ['optional.none().value()', 'optional.none() dereference'],
  ];
  for (const [text, message] of failures) {
    it(`fails to evaluate ${text}`, () => {
      const result = evaluate(text);
      expect(result).to.be.instanceOf(Failure);
      expect((result as Failure).message).to.equal(message);
    });
  }

  it('knows types by a schema, and names that are escaped', () => {
    expect(evaluate('self.__dash__ == 1 || self.dashed__dash__name == 1', dyn)).to.be.instanceOf(Failure);
    expect(evaluate('self.dashed__dash__name == 1', typed)).to.equal(true);
    expect(evaluate('self.share > 0.4 && self.count > 2', typed)).to.equal(true);
    expect(evaluate('self.since.getFullYear()', typed, { since: '2021-02-03T04:05:06Z' })).to.equal(2021n);
    expect(evaluate('self.port == 80 || self.port == "http"', typed, { port: 'http' })).to.equal(true);
    expect(evaluate('self.?name', typed, {})).to.equal(Optional.none);
    expect(evaluate('self.`dashed-name` == 1 && has(self.`dashed-name`)', typed)).to.equal(true);
    expect(faultOf('self.`dashed-nam`')).to.contain("undefined field 'dashed-nam'");
    expect(faultOf('self.`a$`')).to.contain('Syntax error');
    expect(faultOf('`self`')).to.contain('Syntax error');
  });

  const faults: ReadonlyArray<readonly [text: string, fault: string]> = [
    ['self.nam == 1', "ERROR: <input>:1:5: undefined field 'nam'\n | self.nam == 1\n | ....^"],
    [
      'self.count ==\n  "a"',
      "ERROR: <input>:1:12: found no matching overload for '_==_' applied to '(int, string)'\n | self.count ==\n | ...........^",
    ],
    [
      '"é😀" + x',
      "ERROR: <input>:1:8: undeclared reference to 'x' (in container '')\n | \"é😀\" + x\n | .......^",
    ],
    [
      'true &&\nself.list.all(i, i.startsWith("a"))',
      "ERROR: <input>:2:19: found no matching overload for 'startsWith' applied to 'int.(string)'\n | self.list.all(i, i.startsWith(\"a\"))\n | ..................^",
    ],
    [
      'self.name.foo()',
      "ERROR: <input>:1:10: undeclared reference to 'foo' (in container '')\n | self.name.foo()\n | .........^",
    ],
    [
      'self.anything == 1',
      "ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(object, int)'\n | self.anything == 1\n | ..............^",
    ],
    [
      'self.count.x',
      "ERROR: <input>:1:11: type 'int' does not support field selection\n | self.count.x\n | ..........^",
    ],
    [
      'self.count.all(x, true)',
      "ERROR: <input>:1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | self.count.all(x, true)\n | ....^",
    ],
    [
      '"a".matches("(")',
      'ERROR: <input>:1:4: error parsing regexp: missing closing ): `(`\n | "a".matches("(")\n | ...^',
    ],
  ];
  for (const [text, fault] of faults) {
    it(`refuses ${JSON.stringify(text)} with its place`, () => expect(faultOf(text)).to.equal(fault));
  }

  it('names the place of a syntax error', () => {
    expect(faultOf('self.count >\n  && 1')).to.match(/^ERROR: <input>:\d+:\d+: Syntax error: /);
    expect(faultOf('size(?self.name)')).to.match(/Syntax error/);
    expect(faultOf('[self.name.indexOf("a", ?0)]')).to.equal(
      'ERROR: <input>:1:25: Syntax error: unexpected \'?\'\n | [self.name.indexOf("a", ?0)]\n | ........................^',
    );
    expect(faultOf('[self.count, ?')).to.match(/Syntax error/);
  });

  it('asks for optional values in optional entries', () => {
    expect(faultOf('[?self.count]')).to.equal(
      "ERROR: <input>:1:7: expected type 'optional_type(int)' but found 'int'\n | [?self.count]\n | ......^",
    );
    expect(faultOf('{?"a": 1}')).to.contain("expected type 'optional_type(int)' but found 'int'");
    expect(evaluate('[?self.count]')).to.be.instanceOf(Failure);
  });

  it('refuses texts that would take long to read', () => {
    expect(faultOf('a'.repeat(5000))).to.equal(
      'expression code point size exceeds limit: size: 5000, limit 4096',
    );
    expect(faultOf('('.repeat(200))).to.equal('expression recursion limit exceeded: 32');
    const sum = Array.from({ length: 1000 }, () => '1').join('+');
    expect(faultOf(sum)).to.equal('expression token count exceeds limit: count: 1999, limit 1200');
  });

  it('counts names, numbers and strings as one each, and passes over comments', () => {
    // Eight each: three of the field, two of `==`, one of the text, two of `&&`.
    const long = Array.from({ length: 140 }, () => 'self.name == "a+b"').join('&&');
    expect(faultOf(long)).to.equal('none');
    const longer = Array.from({ length: 200 }, () => 'self.name == "a+b"').join('&&');
    expect(faultOf(longer)).to.contain('token count exceeds limit: count: 1598');
    expect(faultOf(`true // ${'+ '.repeat(1900)}`)).to.equal('none');
  });

  const nested: readonly string[] = [
    Array.from({ length: 590 }, () => '1').join('+'),
    `self${'.a'.repeat(590)}`,
    `self${'[0]'.repeat(390)}`,
    Array.from({ length: 390 }, () => 'self').join('&&'),
  ];
  for (const text of nested) {
    it(`compiles or refuses what is nested deeply: ${text.slice(0, 12)}...`, () => {
      const result = compileExpression(text, { variables: new Map([['self', dyn]]) });
      if ('fault' in result) expect(result.fault).to.contain('expression recursion limit exceeded: 300');
      else expect(result.evaluate(() => null, new Meter(1000))).to.be.instanceOf(Failure);
    });
  }

  it('refuses patterns that take long to compile', () => {
    const many = Array.from({ length: 100 }, () => '"".matches("(a|b){99}")').join('&&');
    expect(faultOf(many)).to.contain('patterns of the expression are too large');
    expect(faultOf(`"".matches("${'(a{9}){9}'.repeat(400)}")`)).to.contain('are too large');
  });

  it('asks for a type', () => {
    const bool = compiled('true').type;
    const wrong = compileExpression('1', { variables: new Map() }, [bool]);
    expect(wrong).to.deep.equal({ fault: 'must evaluate to bool' });
  });

  const large = {
    list: Array.from({ length: 3000 }, (_, at) => at),
    lists: Array.from({ length: 100 }, () => Array.from({ length: 1000 }, (_, at) => `a${at}`)),
    text: 'x'.repeat(1_000_000),
  };
  const costly: readonly string[] = [
    'self.list.all(x, self.list.all(y, x + y >= 0))',
    'self.lists.all(x, self.lists.all(y, x == y))',
    'self.list.map(x, self.list.map(y, x * y)).size() > 0',
    'self.list.all(x, self.text.matches("^(x+x+)+y$"))',
    'self.list.all(x, "a".matches("a{" + string(x) + "}") || true)',
    '[self.text].map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).size() == 1',
    'self.text.replace("", "yyyyyyyyyyyyyyyyyyyyyyyyyyyy").size() > 0',
    'self.text.findAll("x").size() > 0',
    'self.list.all(x, timestamp("2020-01-01T00:00:00Z") < timestamp("2021-01-01T00:00:00Z"))',
    '"%.999999999f".format([1.0]).size() > 0',
  ];
  for (const text of costly) {
    it(`cuts off ${text}`, () => {
      expect(() => evaluate(text, dyn, large)).to.throw(
        CostExceeded,
        'operation cancelled: actual cost limit exceeded',
      );
    });
  }

  it('shares a budget among expressions', () => {
    const meter = new Meter(100);
    const expression = compiled('self.list.all(x, x >= 0)');
    const run = () => expression.evaluate(() => jsonValue({ list: [1, 2, 3] }, dyn, meter), meter);
    expect(run()).to.equal(true);
    expect(() => {
      for (let round = 0; round < 20; round++) run();
    }).to.throw(CostExceeded);
    expect(meter.isSpent).to.equal(true);
  });

  it('estimates more for what a schema does not bound', () => {
    const cost = (text: string): number => compiled(text, typed).estimatedCost;
    expect(cost('self.list.all(x, x > 0)')).to.be.lessThan(2000);
    expect(cost('self.names.all(x, x != "")')).to.be.greaterThan(1_000_000);
  });
});
