import { expect } from 'chai';
import { customResourceDefinitionRules } from '../../../../../src/apis/apiextensions/definition.ts';
import { BodySyntaxError } from '../../../../../src/machinery/codec/index.ts';
import { type FieldError, invalid } from '../../../../../src/machinery/errors/index.ts';
import type { CustomSchema } from '../../../../../src/machinery/schema/structural/index.ts';
import { createRandomSource } from '../../../../support/random-source.ts';
import { makeContext, makeObject } from '../../../apis/rule-fixture.ts';
import { compileSchema, objectWith, withSpec } from './custom-schema-fixture.ts';
import { type HostileCase, hostileCase } from './hostile-schemas.ts';

/** More of them by the variable, which also has the figures written. */
const wanted = process.env.ORCH_TEST_HOSTILE;
const count = Number(wanted ?? 4000);
/** The first of them: several processes may share the work. */
const first = Number(process.env.ORCH_TEST_HOSTILE_FROM ?? 0);
/** Far beyond what a case takes, and far below what it took where anything multiplied. */
const stuckMs = 2000;

type Fields = Record<string, unknown>;

const kind = 'apiextensions.orch.io/v1beta1.CustomResourceDefinition';

/** A new definition with the schema, as it is decoded. */
function readDefinition({ schema }: HostileCase): Fields {
  return makeObject(kind, {
    metadata: { name: 'widgets.a.example.com' },
    spec: {
      group: 'a.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true }],
      preserveUnknownFields: false,
      validation: { openAPIV3Schema: withSpec(schema) },
    },
    status: { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
  });
}

/** How many errors a definition has; their text is made as for an answer. */
function validateDefinition(definition: Fields): number {
  const context = makeContext({ requestApiVersion: 'apiextensions.orch.io/v1' });
  const errors = customResourceDefinitionRules.validate?.(definition as never, context) ?? [];
  expect(JSON.stringify(refusal(errors).status).length).to.be.below(longestAnswer);
  return errors.length;
}

const refusal = (errors: readonly FieldError[]) => invalid({ group: 'a', kind: 'b' }, 'c', errors);
/** Letters: errors are told twice, and their quotes escaped. */
const longestAnswer = 10_000_000;

/** Reads an object, as requests bring it; undefined when it is no JSON that anybody may send. */
function readObject({ spec }: HostileCase): Fields | undefined {
  try {
    return objectWith(spec);
  } catch (error) {
    if (error instanceof BodySyntaxError) return undefined;
    throw error;
  }
}

/** Compiles the schema for the object and does to the object what comes before its validation. */
function settleObject({ schema }: HostileCase, object: Fields): CustomSchema {
  const compiled = compileSchema(withSpec(schema));
  compiled.applyDefaults(object);
  compiled.prune(object);
  compiled.coerceEmbedded(object, { dropsInvalid: true });
  return compiled;
}

/** How many errors an object has; their text is made as for an answer. */
function validateObject(compiled: CustomSchema, object: Fields): number {
  const errors = [...compiled.validateValues(object), ...compiled.validateMarkers(object, object)];
  expect(JSON.stringify(refusal(errors).status).length).to.be.below(longestAnswer);
  return errors.length;
}

/** The longest and the sum of a step, in milliseconds that the thread, and so all requests of a server, had to wait for it. */
class Spent {
  sum = 0;
  longest = { ms: 0, at: 0 };
  readonly over: number[] = [];

  measure<T>(at: number, work: () => T): T {
    const before = process.threadCpuUsage();
    const result = work();
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    this.sum += ms;
    if (ms > this.longest.ms) this.longest = { ms, at };
    if (ms > 50) this.over.push(at);
    return result;
  }

  get text(): string {
    const { ms, at } = this.longest;
    return `${Math.round(this.sum)} ms, longest ${ms.toFixed(1)} ms (case ${at}), over 50 ms ${this.over.length} [${this.over.slice(0, 9)}]`;
  }
}

describe('hostile schemas and objects', () => {
  it(`end in errors at most, ${count} of them`, function () {
    this.timeout(60_000 + count * 20);
    const spent = {
      decode: new Spent(),
      validate: new Spent(),
      'settle object': new Spent(),
      'validate object': new Spent(),
    };
    const counts = { accepted: 0, refused: 0, valid: 0, invalid: 0, unreadable: 0 };
    const tell = (at: number): void => {
      console.log(at, JSON.stringify(counts), `${process.memoryUsage.rss() >> 20} MiB`);
      for (const [step, { text }] of Object.entries(spent)) console.log(`   ${step}: ${text}`);
    };
    for (let at = first; at < first + count; at++) {
      const hostile = hostileCase(createRandomSource(at));
      const definition = spent.decode.measure(at, () => readDefinition(hostile));
      const errors = spent.validate.measure(at, () => validateDefinition(definition));
      counts[errors === 0 ? 'accepted' : 'refused']++;
      const object = readObject(hostile);
      if (object === undefined) counts.unreadable++;
      else {
        const compiled = spent['settle object'].measure(at, () => settleObject(hostile, object));
        const found = spent['validate object'].measure(at, () => validateObject(compiled, object));
        counts[found === 0 ? 'valid' : 'invalid']++;
      }
      if (wanted !== undefined && at % 100_000 === 0) tell(at);
    }
    if (wanted !== undefined) tell(first + count);
    expect(Object.getOwnPropertyNames(Object.prototype)).to.deep.equal(prototypeNames);
    for (const { longest } of Object.values(spent))
      expect(longest.ms, `case ${longest.at}`).to.be.below(stuckMs);
    // Cases that only ever bounced off one check would test little.
    for (const [says, number] of Object.entries(counts))
      expect(number, says).to.be.above(says === 'unreadable' ? -1 : count / 50);
  });
});

const prototypeNames = Object.getOwnPropertyNames(Object.prototype);
