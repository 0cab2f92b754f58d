import { expect } from 'chai';
import { type Body, type Change, create, describeChange, update, withChange } from './write-bench.ts';

/** A change and the texts of all errors that it brings, in order; `<any>` stands for any text. */
export type Refusal = readonly [change: Change, errors: readonly string[]];

/** What the rules of a kind say of a valid object and of changes to it. */
export interface WriteCases {
  /** A valid object. */
  readonly body: Body;
  /** The status that writes of the status tell. */
  readonly status?: unknown;
  /** Changes with which a new object is valid as well. */
  readonly accepted?: readonly Change[];
  /** Changes with which a new object is refused. */
  readonly refused?: readonly Refusal[];
  /** Changes that a stored object may have. */
  readonly changed?: readonly Change[];
  /** Changes that a stored object may not have. */
  readonly kept?: readonly Refusal[];
  /** Changes of the status by its own subresource that are allowed, and that are not. */
  readonly statusChanged?: readonly Change[];
  readonly statusKept?: readonly Refusal[];
}

/** Tests of the rules of one kind. */
export function describeWrites(name: string, kinds: readonly WriteCases[]): void {
  describe(name, () => {
    for (const cases of kinds)
      describe(`${cases.body.apiVersion} ${cases.body.metadata.name}`, () => add(cases));
  });
}

function add(cases: WriteCases): void {
  const { body, status } = cases;
  it('accepts the object as it is', () => expect(create(body).errors).to.deep.equal([]));
  for (const change of cases.accepted ?? [])
    it(`accepts ${describeChange(change)}`, () => expectErrors(create(withChange(body, change)).errors, []));
  for (const [change, errors] of cases.refused ?? [])
    it(`refuses ${describeChange(change)}`, () =>
      expectErrors(create(withChange(body, change)).errors, errors));
  const stored = { body, status };
  for (const change of cases.changed ?? [])
    it(`may become ${describeChange(change)}`, () => expectErrors(update({ ...stored, change }).errors, []));
  for (const [change, errors] of cases.kept ?? [])
    it(`must not become ${describeChange(change)}`, () =>
      expectErrors(update({ ...stored, change }).errors, errors));
  const way = 'status';
  for (const change of cases.statusChanged ?? [])
    it(`may be told ${describeChange(change)}`, () =>
      expectErrors(update({ ...stored, change }, { way }).errors, []));
  for (const [change, errors] of cases.statusKept ?? [])
    it(`must not be told ${describeChange(change)}`, () =>
      expectErrors(update({ ...stored, change }, { way }).errors, errors));
}

function expectErrors(actual: readonly string[], expected: readonly string[]): void {
  const wanted = expected.map((text, at) => {
    const found = actual[at];
    return found !== undefined && matches(found, text) ? found : text;
  });
  expect(actual).to.deep.equal(wanted);
}

function matches(actual: string, pattern: string): boolean {
  const parts = pattern.split('<any>').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`).test(actual);
}
