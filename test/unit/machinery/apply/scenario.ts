import { expect } from 'chai';
import {
  type ApplySchema,
  compileCustomApplySchema,
  createFieldManager,
} from '../../../../src/machinery/apply/index.ts';
import { wholeView } from '../../../../src/machinery/apply/typed/view.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import type { ManagedFieldsEntry } from '../../../../src/machinery/meta/index.ts';
import { atOnce } from './support/at-once.ts';

type Json = Record<string, unknown>;

/** One thing that somebody does to the object, and what should come of it. */
export type Step =
  | { readonly apply: string; readonly set: Json; readonly force?: true; readonly version?: string }
  | { readonly update: string; readonly set: Json; readonly version?: string }
  | { readonly dropVersion: string };

export interface Scenario {
  readonly it: string;
  /** Properties of the root; `v2` names the field `a` of `v1` `b`. */
  readonly properties: Json;
  /** The definition keeps fields that it does not declare. */
  readonly keepsUnknown?: true;
  readonly steps: readonly Step[];
  /** The object without metadata, when the scenario succeeds. */
  readonly object?: Json;
  /** `manager operation` to `fieldsV1`. */
  readonly owners?: Json;
  /** Fields of the conflicts, when the last step is refused with them. */
  readonly conflicts?: readonly string[];
  /** Message of another refusal. */
  readonly error?: string;
}

const metadata = { name: 'x', uid: 'u' };
const schemaFor = ({ properties, keepsUnknown }: Scenario, version: string): ApplySchema => {
  const named = version === 'v2' && 'a' in properties ? { ...properties, b: properties.a } : properties;
  return compileCustomApplySchema({
    schema: { type: 'object', properties: named },
    extensionPrefix: 'x-orch-',
    metadata: wholeView,
    preservesUnknownFields: keepsUnknown === true,
    apiVersion: version,
    kind: 'Thing',
  });
};

function convert(object: Json, version: string): Json {
  if (object.apiVersion === version) return object;
  const { a, b, ...rest } = object;
  const moved = a ?? b;
  return {
    ...rest,
    apiVersion: version,
    ...(moved === undefined ? {} : { [version === 'v2' ? 'b' : 'a']: moved }),
  };
}

/** What was emptied is null; decoding drops it. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Plays a scenario and checks how it ends. */
function play(scenario: Scenario): void {
  const { steps, ...expected } = scenario;
  const gone = new Set<string>();
  const schemas = new Map(['v1', 'v2'].map((version) => [version, schemaFor(scenario, version)]));
  const manager = createFieldManager({
    schemaOf: (version) => (gone.has(version) ? undefined : schemas.get(version)),
    convert: (object, version) => (gone.has(version) ? undefined : convert(object, version)),
  });
  const fields = atOnce(manager);
  let live: Json | undefined;
  let owners: ManagedFieldsEntry[] | undefined;
  const run = (step: Step): void => {
    if ('dropVersion' in step) {
      gone.add(step.dropVersion);
      return;
    }
    const apiVersion = step.version ?? 'v1';
    const whole = { apiVersion, kind: 'Thing', metadata, ...step.set };
    const before = live && { ...convert(live, apiVersion), metadata: { ...metadata, managedFields: owners } };
    const common = { apiVersion, now: '2020-01-01T00:00:00Z' };
    if ('apply' in step) {
      const isForced = step.force === true;
      const done = fields.applyConfiguration({
        ...common,
        live: before,
        config: whole,
        manager: step.apply,
        isForced,
      });
      // An object stays one.
      live = withoutNulls(done.object) as Json;
      owners = done.managedFields;
    } else {
      owners = fields.recordUpdate({ ...common, live: before, object: whole, manager: step.update });
      live = whole;
    }
  };
  const isRefused = expected.conflicts !== undefined || expected.error !== undefined;
  for (const step of isRefused ? steps.slice(0, -1) : steps) run(step);
  if (isRefused) {
    expect(() => run(steps.at(-1) as Step))
      .to.throw(StatusError)
      .satisfies((error: StatusError) => {
        if (expected.error !== undefined) expect(error.message).to.equal(expected.error);
        const causes = error.status.details?.causes?.map((cause) => cause.field);
        expect(causes).to.deep.equal(expected.conflicts);
        return true;
      });
    return;
  }
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...object } = live ?? {};
  if (expected.object !== undefined) expect(object).to.deep.equal(expected.object);
  if (expected.owners !== undefined) {
    const actual = (owners ?? []).map((entry) => [`${entry.manager} ${entry.operation}`, entry.fieldsV1]);
    expect(Object.fromEntries(actual)).to.deep.equal(expected.owners);
  }
}

/** One test for each scenario, by group. */
export function playAll(groups: Readonly<Record<string, readonly Scenario[]>>): void {
  describe('applyConfiguration', () => {
    for (const [group, scenarios] of Object.entries(groups)) {
      describe(`of ${group}`, () => {
        for (const scenario of scenarios) it(scenario.it, () => play(scenario));
      });
    }
  });
}
