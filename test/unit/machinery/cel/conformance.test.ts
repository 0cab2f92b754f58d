import { getConformanceSuite, type IncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { expect } from 'chai';
import {
  type CelType,
  CostExceeded,
  compileExpression,
  dyn,
  Failure,
  jsonValue,
  MapValue,
  Meter,
  Optional,
  TypeValue,
  type Value,
} from '../../../../src/machinery/cel/index.ts';

/** The public suites for what expressions here can say. Not: messages, and extensions that later releases do not enable. */
const suites = [
  'basic',
  'comparisons',
  'conversions',
  'fields',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'optionals',
  'parse',
  'string',
  'string_ext',
  'timestamps',
];

/** Tests of theirs that do not hold here, by what they need. */
const known: Readonly<Record<string, RegExp>> = {
  // Nothing outside gives unsigned numbers.
  comparisons: /^999u == x$/,
  // What is not declared is an error before anything runs.
  basic: /unbound|f_unknown|^x \|\| true/,
  // Names are declared one by one, without dots.
  fields: /^a\.b\.c$/,
  parse: /^a\.[a-z]+\(\) \|\| true$/,
  string_ext: /type\(/,
};

interface Case {
  readonly name: string;
  readonly test: IncrementalTestSuite['tests'][number]['original'];
}

function casesOf(suite: IncrementalTestSuite, path: string): Case[] {
  return [
    ...suite.tests.map(({ name, original }) => ({ name: `${path}: ${name}`, test: original })),
    ...suite.suites.flatMap((each) => casesOf(each, `${path}/${each.name}`)),
  ];
}

type Expected = { readonly kind: { readonly case: string | undefined; readonly value?: unknown } };

function expectedText({ kind }: Expected): string {
  const { case: name, value } = kind;
  switch (name) {
    case 'nullValue':
      return 'null';
    case 'boolValue':
      return `bool ${value}`;
    case 'int64Value':
      return `int ${value}`;
    case 'uint64Value':
      return `uint ${value}`;
    case 'doubleValue':
      return `double ${value}`;
    case 'stringValue':
      return `string ${value}`;
    case 'bytesValue':
      return `bytes ${value}`;
    case 'typeValue':
      return `type ${value}`;
    case 'listValue':
      return `[${(value as { values: Expected[] }).values.map(expectedText).join()}]`;
    case 'mapValue':
      return `{${(value as { entries: { key: Expected; value: Expected }[] }).entries
        .map((entry) => `${expectedText(entry.key)}=${expectedText(entry.value)}`)
        .sort()
        .join()}}`;
    default:
      return 'object';
  }
}

function valueText(value: Value | Failure | undefined): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'undefined':
      return 'none';
    case 'boolean':
      return `bool ${value}`;
    case 'bigint':
      return `int ${value}`;
    case 'number':
      return `double ${value}`;
    case 'string':
      return `string ${value}`;
  }
  if (value instanceof Failure) return `error ${value.message}`;
  if (value instanceof Uint8Array) return `bytes ${value}`;
  if (value instanceof TypeValue) return `type ${value.name}`;
  if (value instanceof Optional) return `optional ${valueText(value.value)}`;
  if (value instanceof MapValue)
    return `{${value
      .keys()
      .map((key) => `${valueText(key)}=${valueText(value.get(key))}`)
      .sort()
      .join()}}`;
  if (Array.isArray(value)) return `[${value.map(valueText).join()}]`;
  return 'value' in value ? `uint ${value.value}` : 'object';
}

function bindingOf(value: Expected): Value {
  const { case: name, value: inner } = value.kind;
  if (name === 'listValue') return (inner as { values: Expected[] }).values.map(bindingOf);
  if (name === 'nullValue') return null;
  if (name === 'mapValue') {
    const { entries } = inner as { entries: { key: Expected; value: Expected }[] };
    const members = entries.map(({ key, value }) => [
      String(key.kind.value),
      Number(value.kind.value) || value.kind.value,
    ]);
    const meter = new Meter(1e6);
    meter.begin();
    return jsonValue(Object.fromEntries(members), dyn, meter) as Value;
  }
  return inner as Value;
}

function outcomeOf({ test }: Case): string {
  const variables = new Map<string, CelType>(Object.keys(test.bindings).map((name) => [name, dyn]));
  const compiled = compileExpression(test.expr, { variables });
  if ('fault' in compiled) return `error ${compiled.fault}`;
  const values = new Map<string, Value>();
  for (const [name, { kind }] of Object.entries(test.bindings)) {
    if (kind.case === 'value') values.set(name, bindingOf(kind.value as Expected));
  }
  try {
    return valueText(compiled.evaluate((name) => values.get(name) ?? null, new Meter(1e6)));
  } catch (error) {
    if (error instanceof CostExceeded) return `cost ${error.message}`;
    throw error;
  }
}

describe('compileExpression', () => {
  const all = getConformanceSuite();
  for (const name of suites) {
    it(`passes the public tests of ${name}`, () => {
      const suite = all.suites.find((each) => each.name === name);
      if (suite === undefined) throw new Error(name);
      const failed: string[] = [];
      let count = 0;
      for (const each of casesOf(suite, name)) {
        const { test } = each;
        const text =
          test.expr +
          test.container +
          Object.values(test.bindings).map(String).join() +
          JSON.stringify(test.typeEnv, (_, v) => (typeof v === 'bigint' ? '' : v));
        if (
          /TestAllTypes|google\.protobuf|proto\.|GlobalEnum/.test(text) ||
          test.checkOnly ||
          test.disableCheck ||
          test.container !== ''
        )
          continue;
        if (known[name]?.test(test.expr) === true) continue;
        count++;
        let outcome = '';
        try {
          outcome = outcomeOf(each);
        } catch (error) {
          outcome = `threw ${(error as Error).message}`;
        }
        const { case: kind, value } = test.resultMatcher;
        const wanted =
          kind === 'value'
            ? expectedText(value as Expected)
            : kind === undefined
              ? 'bool true'
              : kind === 'typedResult'
                ? expectedText((value as { result: Expected }).result ?? { kind: { case: undefined } })
                : 'error';
        const fits = wanted === 'error' ? outcome.startsWith('error ') : outcome === wanted;
        if (!fits) failed.push(`${each.name}: ${test.expr} => ${outcome.slice(0, 200)} instead of ${wanted}`);
      }
      expect(count).to.be.greaterThan(20);
      expect(failed).to.deep.equal([]);
    });
  }
});
