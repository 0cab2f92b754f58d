import { playAll, type Scenario } from './scenario.ts';
import { keyed, map, number, own, set } from './support/scenario-types.ts';

const open = { type: 'object', 'x-orch-preserve-unknown-fields': true, properties: { n: number } };
const mapOfMaps = { type: 'object', additionalProperties: map };
const twice = [
  { name: 'x', v: 1 },
  { name: 'x', v: 2 },
];

const groups: Record<string, Scenario[]> = {
  duplicates: [
    {
      it: 'end the record of owners when an update brings an item twice',
      properties: { l: keyed, n: number },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', v: 1 }] } },
        { update: 'u', set: { l: twice, n: 1 } },
      ],
      object: { l: twice, n: 1 },
      owners: {},
    },
    {
      it: 'leave no record of owners when an update takes them away again',
      properties: { l: keyed },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', v: 1 }] } },
        { update: 'u', set: { l: twice } },
        { update: 'u', set: {} },
      ],
      object: {},
      owners: {},
    },
    {
      it: 'end the record of owners also inside a list that is owned as a whole',
      properties: { l: { type: 'array', items: { type: 'object', properties: { s: set } } }, n: number },
      steps: [
        { update: 'u', set: { l: [{ s: ['x'] }] } },
        { update: 'v', set: { l: [{ s: ['x', 'x'] }] } },
      ],
      owners: {},
    },
    {
      it: 'refuse every apply to an object that has an item twice',
      properties: { l: keyed, n: number },
      steps: [
        { update: 'u', set: { l: twice } },
        { apply: 'a', set: { n: 1 } },
      ],
      error:
        'failed to create manager for existing fields: failed to convert new object (/v1, Kind=Thing) to smd typed: .l: duplicate entries for key [name="x"]',
    },
    {
      it: 'refuse every apply to an object that has a value twice, by force too',
      properties: { s: set, n: number },
      steps: [
        { update: 'u', set: { s: ['x', 'y', 'x'] } },
        { apply: 'a', set: { s: ['x'] }, force: true },
      ],
      error:
        'failed to create manager for existing fields: failed to convert new object (/v1, Kind=Thing) to smd typed: .s: duplicate entries for key [="x"]',
    },
    {
      it: 'count for what they are in an atomic list',
      properties: { l: { type: 'array', items: { type: 'string' } } },
      steps: [
        { apply: 'a', set: { l: ['x', 'x'] } },
        { apply: 'b', set: { l: ['x'] } },
      ],
      conflicts: ['.l'],
    },
  ],
  'obsolete versions': [
    {
      it: 'do not conflict, and their owners are forgotten',
      properties: { a: number },
      steps: [
        { apply: 'x', set: { a: 1 } },
        { update: 'u', set: { a: 2 } },
        { dropVersion: 'v1' },
        { apply: 'y', set: { b: 3 }, version: 'v2' },
      ],
      object: { b: 3 },
      owners: { 'y Apply': own('b') },
    },
    {
      it: 'keep what was applied through them: nobody can tell what it was',
      properties: { a: number, m: map },
      steps: [
        { apply: 'x', set: { a: 1, m: { k: '1' } } },
        { dropVersion: 'v1' },
        { apply: 'x', set: { m: { k: '2' } }, version: 'v2' },
      ],
      object: { b: 1, m: { k: '2' } },
      owners: { 'x Apply': { 'f:m': own('k') } },
    },
    {
      it: 'are forgotten by updates too',
      properties: { a: number, n: number },
      steps: [
        { apply: 'x', set: { a: 1 } },
        { dropVersion: 'v1' },
        { update: 'u', set: { b: 1, n: 1 }, version: 'v2' },
      ],
      owners: { 'u Update': own('n') },
    },
    {
      it: 'lose what a newer version changes, while both are there',
      properties: { a: number, n: number },
      steps: [
        { apply: 'x', set: { a: 1, n: 1 } },
        { apply: 'y', set: { b: 2 }, version: 'v2', force: true },
      ],
      object: { b: 2, n: 1 },
      owners: { 'x Apply': own('n'), 'y Apply': own('b') },
    },
    {
      it: 'keep what others own through another version when an applier drops it',
      properties: { a: number, n: number },
      steps: [
        { apply: 'x', set: { a: 1, n: 1 } },
        { apply: 'y', set: { b: 1 }, version: 'v2' },
        { apply: 'x', set: {} },
      ],
      object: { a: 1 },
      owners: { 'y Apply': own('b') },
    },
  ],
  'several versions': [
    {
      it: 'keep a field in an entry that its owners know through another version',
      properties: { m: mapOfMaps },
      steps: [
        { apply: 'x', version: 'v2', set: { m: { p: { k: '1' } } } },
        { update: 'u', set: { m: { p: { k: '2' } } } },
        { apply: 'x', version: 'v2', set: { m: { p: { k: '2' } } } },
        { apply: 'y', version: 'v2', set: { m: { p: {} } } },
        { apply: 'x', version: 'v2', set: {} },
      ],
      object: { m: { p: { k: '2' } } },
      owners: {
        'u Update': { 'f:m': { 'f:p': own('k') } },
        'y Apply': { 'f:m': { 'f:p': { '.': {}, ...own('k') } } },
      },
    },
  ],
  'whole maps and lists': [
    {
      it: 'come to be owned part by part, with what others put there',
      properties: { m: map },
      steps: [
        { update: 'u', set: { m: { x: '1' } } },
        { update: 'v', set: { m: { x: '2', y: '2' } } },
        { update: 'w', set: { m: { x: '2', y: '2' } } },
      ],
      owners: {
        'u Update': { 'f:m': { '.': {}, ...own('x', 'y') } },
        'v Update': { 'f:m': own('x', 'y') },
      },
    },
    {
      it: 'conflict in parts that their owner never set',
      properties: { m: map },
      steps: [
        { update: 'u', set: { m: { x: '1' } } },
        { update: 'v', set: { m: { x: '2' } } },
        { apply: 'a', set: { m: { x: '3' } } },
      ],
      conflicts: ['.m.x', '.m.x'],
    },
    {
      it: 'stay whole while they are empty',
      properties: { m: map, n: number },
      steps: [
        { update: 'u', set: { m: { x: '1' } } },
        { update: 'v', set: { n: 1 } },
      ],
      owners: { 'v Update': own('n') },
    },
  ],
  'preserved unknown fields': [
    {
      it: 'are owned one by one when the whole definition keeps them',
      properties: { n: number },
      keepsUnknown: true,
      steps: [
        { apply: 'a', set: { n: 1, o: { p: 1 }, l: [1, 2] } },
        { apply: 'b', set: { o: { q: 2 } } },
      ],
      object: { n: 1, o: { p: 1, q: 2 }, l: [1, 2] },
      owners: {
        'a Apply': { ...own('l', 'n'), 'f:o': { '.': {}, ...own('p') } },
        'b Apply': { 'f:o': { '.': {}, ...own('q') } },
      },
    },
    {
      it: 'go when their only applier drops them',
      properties: { o: open },
      steps: [
        { apply: 'a', set: { o: { n: 1, x: { y: 1 }, z: { y: 1 } } } },
        { apply: 'b', set: { o: { z: { w: 1 } } } },
        { apply: 'a', set: { o: { n: 1 } } },
      ],
      object: { o: { n: 1, z: { w: 1 } } },
      owners: { 'a Apply': { 'f:o': own('n') }, 'b Apply': { 'f:o': { 'f:z': { '.': {}, ...own('w') } } } },
    },
    {
      it: 'conflict field by field, lists as a whole',
      properties: { o: open },
      steps: [
        { apply: 'a', set: { o: { x: { y: 1, l: [1] }, z: 1 } } },
        { apply: 'b', set: { o: { x: { y: 2, l: [2] }, z: 1 } } },
      ],
      conflicts: ['.o.x.l', '.o.x.y'],
    },
    {
      it: 'may become another kind of value by force',
      properties: { o: open },
      steps: [
        { apply: 'a', set: { o: { x: 1, n: 1 } } },
        { apply: 'b', set: { o: { x: { y: 1 } } }, force: true },
        { apply: 'c', set: { o: { x: [1] } }, force: true },
      ],
      object: { o: { n: 1, x: [1] } },
      owners: { 'a Apply': { 'f:o': own('n') }, 'c Apply': { 'f:o': own('x') } },
    },
  ],
};

playAll(groups);
