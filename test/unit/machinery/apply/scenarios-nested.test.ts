import { playAll, type Scenario } from './scenario.ts';
import { atomic, key, keyed, keyedOf, map, number, own, set, text } from './support/scenario-types.ts';

const listOfSets = keyedOf({ value: set });
const listOfMaps = keyedOf({ value: map });
const mapOfSets = { type: 'object', additionalProperties: set };
const mapOfMaps = { type: 'object', additionalProperties: map };
const deep = { type: 'object', additionalProperties: mapOfMaps };
const struct = { type: 'object', properties: { name: text, value: number } };
const values = (...items: string[]) => Object.fromEntries(items.map((item) => [`v:"${item}"`, {}]));
const item = (name: string, below: object) => ({ [`k:{"name":"${name}"}`]: { '.': {}, ...below } });

const groups: Record<string, Scenario[]> = {
  'nested lists and maps': [
    {
      it: 'replace values of a set in an item, new ones last',
      properties: { l: listOfSets },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', value: ['b', 'c'] }] } },
        { apply: 'a', set: { l: [{ name: 'x', value: ['a', 'c'] }] } },
      ],
      object: { l: [{ name: 'x', value: ['c', 'a'] }] },
      owners: { 'a Apply': { 'f:l': item('x', { ...own('name'), 'f:value': values('a', 'c') }) } },
    },
    {
      it: 'replace an item whose key changes, with the set in it',
      properties: { l: listOfSets },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', value: ['b', 'c'] }] } },
        { apply: 'a', set: { l: [{ name: 'y', value: ['a', 'c'] }] } },
      ],
      object: { l: [{ name: 'y', value: ['a', 'c'] }] },
      owners: { 'a Apply': { 'f:l': item('y', { ...own('name'), 'f:value': values('a', 'c') }) } },
    },
    {
      it: 'replace entries of a map in an item',
      properties: { l: listOfMaps },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', value: { b: '1', c: '2' } }] } },
        { apply: 'a', set: { l: [{ name: 'x', value: { a: '1', c: '3' } }] } },
      ],
      object: { l: [{ name: 'x', value: { a: '1', c: '3' } }] },
      owners: { 'a Apply': { 'f:l': item('x', { ...own('name'), 'f:value': own('a', 'c') }) } },
    },
    {
      it: 'replace values and entries of a map of sets',
      properties: { m: mapOfSets },
      steps: [
        { apply: 'a', set: { m: { x: ['b', 'c'], y: ['b'] } } },
        { apply: 'a', set: { m: { x: ['a', 'c'], z: ['b'] } } },
      ],
      object: { m: { x: ['c', 'a'], z: ['b'] } },
      owners: {
        'a Apply': { 'f:m': { 'f:x': { '.': {}, ...values('a', 'c') }, 'f:z': { '.': {}, ...values('b') } } },
      },
    },
    {
      it: 'replace a key in the middle of maps of maps',
      properties: { m: deep },
      steps: [
        { apply: 'a', set: { m: { x: { y: { z: '1' } } } } },
        { apply: 'a', set: { m: { x: { w: { z: '1' } } } } },
      ],
      object: { m: { x: { w: { z: '1' } } } },
      owners: {
        'a Apply': { 'f:m': { 'f:x': { '.': {}, 'f:w': { '.': {}, ...own('z') } } } },
      },
    },
    {
      it: 'keep an entry in which another applier has something',
      properties: { m: mapOfMaps },
      steps: [
        { apply: 'a', set: { m: { x: { p: '1' }, y: { p: '1' } } } },
        { apply: 'b', set: { m: { x: { q: '2' } } } },
        { apply: 'a', set: {} },
      ],
      object: { m: { x: { q: '2' } } },
      owners: { 'b Apply': { 'f:m': { 'f:x': { '.': {}, ...own('q') } } } },
    },
    {
      it: 'keep an item in which another applier has something',
      properties: { l: listOfMaps },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', value: { p: '1' } }, { name: 'y' }] } },
        { apply: 'b', set: { l: [{ name: 'x', value: { q: '2' } }] } },
        { apply: 'a', set: { l: [{ name: 'y' }] } },
      ],
      object: { l: [{ name: 'x', value: { q: '2' } }, { name: 'y' }] },
      owners: {
        'a Apply': { 'f:l': key('y') },
        'b Apply': { 'f:l': item('x', { ...own('name'), 'f:value': own('q') }) },
      },
    },
    {
      it: 'conflict far down, over what differs only',
      properties: { l: listOfMaps, m: deep },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', value: { p: '1', q: '1' } }], m: { x: { y: { z: '1' } } } } },
        { apply: 'b', set: { l: [{ name: 'x', value: { p: '1', q: '2' } }], m: { x: { y: { z: '2' } } } } },
      ],
      conflicts: ['.l[name="x"].value.q', '.m.x.y.z'],
      error: 'Apply failed with 2 conflicts: conflicts with "a":\n- .l[name="x"].value.q\n- .m.x.y.z',
    },
    {
      it: 'conflict over an atomic list in an item as a whole',
      properties: { l: keyedOf({ args: atomic }) },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', args: ['1', '2'] }] } },
        { apply: 'b', set: { l: [{ name: 'x', args: ['1', '3'] }] } },
      ],
      conflicts: ['.l[name="x"].args'],
    },
    {
      it: 'replace an atomic object as a whole, with fields that are not applied again',
      properties: { s: { ...struct, 'x-orch-map-type': 'atomic' } },
      steps: [
        { apply: 'a', set: { s: { name: 'x', value: 1 } } },
        { apply: 'b', set: { s: { name: 'y' } }, force: true },
      ],
      object: { s: { name: 'y' } },
      owners: { 'b Apply': own('s') },
    },
  ],
  'objects that appliers and updaters share': [
    {
      it: 'go with the last field in them',
      properties: { s: struct },
      steps: [
        { apply: 'a', set: { s: { name: 'x', value: 1 } } },
        { apply: 'a', set: {} },
      ],
      object: {},
      owners: {},
    },
    {
      it: 'keep what an updater wrote next to a field that is dropped',
      properties: { s: struct },
      steps: [
        { apply: 'a', set: { s: { name: 'x' } } },
        { update: 'u', set: { s: { name: 'x', value: 1 } } },
        { apply: 'a', set: { s: {} } },
      ],
      object: { s: { value: 1 } },
      owners: { 'u Update': { 'f:s': own('value') } },
    },
    {
      it: 'keep what an updater took over',
      properties: { s: struct },
      steps: [
        { apply: 'a', set: { s: { name: 'x' } } },
        { update: 'u', set: { s: { name: 'y', value: 1 } } },
        { apply: 'a', set: {} },
      ],
      object: { s: { name: 'y', value: 1 } },
      owners: { 'u Update': { 'f:s': own('name', 'value') } },
    },
    {
      it: 'keep an item that an updater created',
      properties: { l: keyed },
      steps: [
        { update: 'u', set: { l: [{ name: 'x', v: 1 }] } },
        { apply: 'a', set: { l: [{ name: 'x', v: 1, inner: { k: '1' } }] } },
        { apply: 'a', set: {} },
      ],
      object: { l: [{ name: 'x', v: 1 }] },
      owners: { 'u Update': { 'f:l': { '.': {}, ...key('x', 'v') } } },
    },
    {
      it: 'lose an item with what an updater wrote into it, as in release 1.20',
      properties: { l: keyed },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x' }, { name: 'y' }] } },
        { update: 'u', set: { l: [{ name: 'x', v: 1 }, { name: 'y' }] } },
        { apply: 'a', set: { l: [{ name: 'y' }] } },
      ],
      object: { l: [{ name: 'y' }] },
      owners: { 'a Apply': { 'f:l': key('y') } },
    },
    {
      it: 'give an updater the values that it adds to a set',
      properties: { s: set },
      steps: [
        { apply: 'a', set: { s: ['x'] } },
        { update: 'u', set: { s: ['x', 'y'] } },
        { apply: 'a', set: { s: ['z'] } },
      ],
      object: { s: ['y', 'z'] },
      owners: { 'a Apply': { 'f:s': values('z') }, 'u Update': { 'f:s': values('y') } },
    },
    {
      it: 'change hands when one applies the same and the other drops it',
      properties: { s: struct },
      steps: [
        { apply: 'a', set: { s: { value: 1 } } },
        { apply: 'b', set: { s: { value: 1 } } },
        { apply: 'a', set: {} },
        { apply: 'b', set: { s: { value: 2 } } },
      ],
      object: { s: { value: 2 } },
      owners: { 'b Apply': { 'f:s': own('value') } },
    },
    {
      it: 'name every owner that an applier conflicts with',
      properties: { n: number, s: struct },
      steps: [
        { apply: 'a', set: { n: 1 } },
        { apply: 'b', set: { n: 1, s: { value: 1 } } },
        { apply: 'c', set: { n: 2, s: { value: 2 } } },
      ],
      conflicts: ['.n', '.n', '.s.value'],
      error:
        'Apply failed with 3 conflicts: conflicts with "a":\n- .n\nconflicts with "b":\n- .n\n- .s.value',
    },
  ],
};

playAll(groups);
