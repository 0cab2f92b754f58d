import { globSync } from 'node:fs';
import { expect } from 'chai';
import { createResourceTable } from '../../../src/apis/resources/index.ts';
import { createTablePrinters } from '../../../src/apis/tables/index.ts';
import { isJsonObject, rawNumber } from '../../../src/base/index.ts';
import { orchDialect as dialect } from '../../../src/machinery/dialect.ts';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../src/machinery/meta/index.ts';
import {
  DecodeError,
  listElement,
  mapElement,
  parseGroupVersion,
} from '../../../src/machinery/schema/index.ts';
import { catalog } from '../machinery/codec/protobuf/random-object.ts';
import { type Body, create, served, update } from './write-bench.ts';
import type { WriteCases } from './write-cases.ts';

const gates = new Set<string>();
const resources = createResourceTable({ dialect, gates, runtimeConfig: { 'api/all': 'true' } });
const printers = createTablePrinters({ dialect, gates });
const nowMs = 1_700_000_000_000;

const integers = ['-9223372036854775808', '-7889848476955126417', '9007199254740993', '9223372036854775807'];
const hostile: Readonly<Record<string, readonly unknown[]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: integers.map(rawNumber),
  'intstr.IntOrString': [-(2 ** 31), 2 ** 31 - 1, '9223372036854775807%', '-1%'],
  'resource.Quantity': [
    ...integers,
    '1e-30',
    '99999999999999999999Ei',
    '-0.000000001n',
    '9223372036854775807k',
  ],
};

type Path = readonly (string | number)[];

/** Places of numbers in an object of a type, where it has them and where its objects leave them out. */
function placesOf(type: string, value: unknown, path: Path = []): (readonly [path: Path, type: string])[] {
  if (type in hostile) return [[path, type]];
  const element = listElement(type);
  if (element !== undefined)
    return Array.isArray(value) ? value.flatMap((item, at) => placesOf(element, item, [...path, at])) : [];
  const entry = mapElement(type);
  if (!isJsonObject(value)) return [];
  if (entry !== undefined)
    return Object.entries(value).flatMap(([key, item]) => placesOf(entry, item, [...path, key]));
  if (
    !type.includes('.') ||
    /\.(?:Time|MicroTime|Duration|FieldsV1|RawExtension|JSON\w*|Verbs|ExtraValue)$/.test(type)
  )
    return [];
  return catalog
    .type(type)
    .fields.flatMap((field) => placesOf(field.type, value[field.name], [...path, field.name]));
}

function withValue<Value>(object: Value, path: Path, value: unknown): Value {
  const [first, ...rest] = path;
  if (first === undefined) return value as Value; // the place's own value
  const copy = Array.isArray(object) ? [...object] : { ...object };
  const members = copy as Record<string | number, unknown>;
  members[first] = withValue(members[first], rest, value);
  return copy as Value; // as it was but for one member
}

/** Does what may be refused; all else than a refusal would be a fault of the server. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof StatusError || error instanceof DecodeError) return undefined;
    throw error;
  }
}

const modules = globSync('test/unit/apis/**/*-writes.ts').sort();
const cases: WriteCases[] = [];
for (const file of modules) {
  const loaded: Record<string, unknown> = await import(`../../../${file}`);
  // Such a file exports lists of cases and nothing else.
  for (const list of Object.values(loaded)) cases.push(...(list as WriteCases[]));
}

describe('numbers and quantities of any size', () => {
  for (const { body, status } of cases) {
    const { group, version } = parseGroupVersion(body.apiVersion) ?? { group: '', version: '' };
    const { kind } = body;
    const type = catalog.kind({ group, version, kind });
    if (type === undefined) throw new RangeError(`no type for ${body.apiVersion} ${kind}`);
    const resource = resources.byKind({ group, version, kind })?.resource ?? '';
    const printer = printers({ group, resource });
    const whole = status === undefined ? body : { ...body, status };

    it(`in ${body.apiVersion} ${kind} ${body.metadata.name} are accepted or refused, kept and shown`, () => {
      for (const [path, place] of placesOf(type.name, whole)) {
        for (const value of hostile[place] ?? []) {
          const title = `${path.join('.')} = ${JSON.stringify(value)}`;
          const changed: Body = withValue(whole, path, value);
          const shown = attempt(() => {
            const { object, errors } = create(changed);
            expect(errors.join(), title).not.to.include('[object');
            return served(object, body) as unknown as ApiObject; // of the body's kind
          });
          if (shown !== undefined)
            JSON.stringify(printer.row({ ...shown, ...attempt(() => statusOf(type, changed)) }, nowMs));
          for (const way of ['', 'status']) {
            const change = { [`/${String(path[0])}`]: changed[String(path[0])] };
            const result = attempt(() => update({ body, status, change }, { way }));
            expect(result?.errors.join() ?? '', title).not.to.include('[object');
          }
        }
      }
    });
  }
});

/** The status of a body, decoded. */
const statusOf = (type: { decode(value: unknown): Record<string, unknown> }, body: Body): object => ({
  status: type.decode(body).status,
});
