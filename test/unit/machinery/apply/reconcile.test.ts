import { expect } from 'chai';
import { parseFieldsV1, serializeFieldSet } from '../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import { compileCustomApplySchema } from '../../../../src/machinery/apply/index.ts';
import { reconcileFieldSet } from '../../../../src/machinery/apply/typed/reconcile.ts';
import { wholeView } from '../../../../src/machinery/apply/typed/view.ts';
import { keyed, map, number, set } from './support/scenario-types.ts';

const { root } = compileCustomApplySchema({
  schema: {
    type: 'object',
    properties: {
      atomic: { type: 'array', items: { type: 'object', properties: { n: number } } },
      inner: { type: 'object', properties: { n: number, m: map } },
      keyed,
      map,
      open: { type: 'object', 'x-orch-preserve-unknown-fields': true },
      set,
    },
  },
  extensionPrefix: 'x-orch-',
  metadata: wholeView,
  preservesUnknownFields: false,
  apiVersion: 'v1',
  kind: 'Thing',
});

const reconciled = (owned: object, live: object): unknown =>
  JSON.parse(JSON.stringify(serializeFieldSet(reconcileFieldSet(root, parseFieldsV1(owned), live))));

describe('reconcileFieldSet', () => {
  const live = {
    atomic: [{ n: 1 }],
    inner: { n: 1, m: { x: '1' } },
    keyed: [{ name: 'a', v: 1 }, { name: 'b' }],
    map: { x: '1' },
    open: { x: 1 },
    set: ['x'],
  };
  const cases: [what: string, owned: object, after: object][] = [
    ['a map', { 'f:map': {} }, { 'f:map': { '.': {}, 'f:x': {} } }],
    ['an object', { 'f:inner': {} }, { 'f:inner': { '.': {}, 'f:n': {}, 'f:m': { 'f:x': {} } } }],
    ['a map in an object', { 'f:inner': { 'f:m': {} } }, { 'f:inner': { 'f:m': { '.': {}, 'f:x': {} } } }],
    ['a set', { 'f:set': {} }, { 'f:set': { '.': {}, 'v:"x"': {} } }],
    [
      'an item',
      { 'f:keyed': { 'k:{"name":"a"}': { '.': {} } } },
      { 'f:keyed': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:v': {} } } },
    ],
  ];
  for (const [what, owned, after] of cases) {
    it(`gives the owner of ${what} as a whole what is in it`, () => {
      expect(reconciled(owned, live)).to.deep.equal(after);
    });
  }

  it('gives the owner of parts of what is now whole all of it', () => {
    expect(reconciled({ 'f:atomic': { 'i:0': {} } }, live)).to.deep.equal({ 'f:atomic': {} });
  });

  it('leaves all else as it is: the very set', () => {
    const sets = [
      { 'f:map': { 'f:x': {} } },
      { 'f:atomic': {} },
      { 'f:open': {} },
      { 'f:unknown': { 'f:x': {} } },
      { 'f:inner': { '.': {}, 'f:n': {} } },
    ].map((owned) => parseFieldsV1(owned));
    for (const owned of sets) expect(reconcileFieldSet(root, owned, live)).to.equal(owned);
    const whole = parseFieldsV1({ 'f:map': {} });
    for (const absent of [{}, { map: {} }]) expect(reconcileFieldSet(root, whole, absent)).to.equal(whole);
  });
});
