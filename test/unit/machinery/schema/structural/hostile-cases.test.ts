import { expect } from 'chai';
import { BodySyntaxError } from '../../../../../src/machinery/codec/index.ts';
import { createRandomSource } from '../../../../support/random-source.ts';
import { create } from '../../../apis/rule-fixture.ts';
import { compileSchema, objectWith, withSpec } from './custom-schema-fixture.ts';
import { type HostileCase, hostileCase } from './hostile-schemas.ts';

/** More of them by the variable, which also has the figures written. */
const wanted = process.env.ORCH_TEST_HOSTILE;
const count = Number(wanted ?? 4000);
/** Far beyond what a case takes, and far below what it took where anything multiplied. */
const stuckMs = 2000;

type Fields = Record<string, unknown>;

/** Errors of a new definition with the schema. */
function errorsOfDefinition({ schema }: HostileCase): readonly string[] {
  const definition = {
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
  };
  const kind = 'apiextensions.orch.io/v1beta1.CustomResourceDefinition';
  return create(kind, definition, { requestApiVersion: 'apiextensions.orch.io/v1' }).errors;
}

/** Reads an object, as requests bring it; undefined when it is no JSON that anybody may send. */
function readObject({ spec }: HostileCase): Fields | undefined {
  try {
    return objectWith(spec);
  } catch (error) {
    if (error instanceof BodySyntaxError) return undefined;
    throw error;
  }
}

/** Errors of an object, after all that is done to one. */
function errorsOfObject({ schema }: HostileCase, object: Fields): readonly string[] {
  const compiled = compileSchema(withSpec(schema));
  compiled.applyDefaults(object);
  compiled.prune(object);
  compiled.coerceEmbedded(object, { dropsInvalid: true });
  return [...compiled.validateValues(object), ...compiled.validateMarkers(object, object)].map(String);
}

/** The longest and the sum of something in milliseconds of the processor. */
class Spent {
  sum = 0;
  longest = { ms: 0, at: 0 };
  readonly over: number[] = [];

  measure<T>(at: number, work: () => T): T {
    const before = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(before);
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
    const spent = { definitions: new Spent(), objects: new Spent() };
    const counts = { accepted: 0, refused: 0, valid: 0, invalid: 0, unreadable: 0 };
    for (let at = 0; at < count; at++) {
      const hostile = hostileCase(createRandomSource(at));
      const errors = spent.definitions.measure(at, () => errorsOfDefinition(hostile));
      counts[errors.length === 0 ? 'accepted' : 'refused']++;
      const object = readObject(hostile);
      if (object === undefined) counts.unreadable++;
      else {
        const found = spent.objects.measure(at, () => errorsOfObject(hostile, object));
        counts[found.length === 0 ? 'valid' : 'invalid']++;
      }
      if (wanted !== undefined && at % 100_000 === 0) {
        console.log(at, JSON.stringify(counts), `${process.memoryUsage.rss() >> 20} MiB`);
        console.log(`   definitions ${spent.definitions.text}\n   objects ${spent.objects.text}`);
      }
    }
    if (wanted !== undefined)
      console.log(`   definitions ${spent.definitions.text}\n   objects ${spent.objects.text}`);
    expect(Object.getOwnPropertyNames(Object.prototype)).to.deep.equal(prototypeNames);
    for (const { longest } of Object.values(spent))
      expect(longest.ms, `case ${longest.at}`).to.be.below(stuckMs);
    // Cases that only ever bounced off one check would test little.
    for (const [says, number] of Object.entries(counts))
      expect(number, says).to.be.above(says === 'unreadable' ? -1 : count / 50);
  });
});

const prototypeNames = Object.getOwnPropertyNames(Object.prototype);
