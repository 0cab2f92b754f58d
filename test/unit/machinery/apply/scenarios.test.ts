import { playAll, type Scenario } from './scenario.ts';
import { atomic, key, keyed, map, number, own, ports, set } from './support/scenario-types.ts';

const groups: Record<string, Scenario[]> = {
  'several appliers': [
    {
      it: 'own disjoint fields side by side',
      properties: { m: map },
      steps: [
        { apply: 'a', set: { m: { x: '1' } } },
        { apply: 'b', set: { m: { y: '2' } } },
      ],
      object: { m: { x: '1', y: '2' } },
      owners: { 'a Apply': { 'f:m': own('x') }, 'b Apply': { 'f:m': own('y') } },
    },
    {
      it: 'share a field with the same value',
      properties: { n: number },
      steps: [
        { apply: 'a', set: { n: 1 } },
        { apply: 'b', set: { n: 1 } },
      ],
      owners: { 'a Apply': own('n'), 'b Apply': own('n') },
    },
    {
      it: 'conflict over another value',
      properties: { n: number },
      steps: [
        { apply: 'a', set: { n: 1 } },
        { apply: 'b', set: { n: 2 } },
      ],
      conflicts: ['.n'],
      error: 'Apply failed with 1 conflict: conflict with "a": .n',
    },
    {
      it: 'name the version of an updater that they conflict with',
      properties: { n: number },
      steps: [
        { update: 'u', set: { n: 1 } },
        { apply: 'b', set: { n: 2 } },
      ],
      conflicts: ['.n'],
      error: 'Apply failed with 1 conflict: conflict with "u" using v1: .n',
    },
    {
      it: 'take a field over by force, also from those who shared it',
      properties: { n: number },
      steps: [
        { apply: 'a', set: { n: 1 } },
        { apply: 'b', set: { n: 1 } },
        { apply: 'c', set: { n: 2 }, force: true },
      ],
      object: { n: 2 },
      owners: { 'c Apply': own('n') },
    },
    {
      it: 'remove a field that they drop, if it is theirs alone',
      properties: { n: number, m: map },
      steps: [
        { apply: 'a', set: { n: 1, m: { x: '1' } } },
        { apply: 'a', set: { n: 1 } },
      ],
      object: { n: 1 },
      owners: { 'a Apply': own('n') },
    },
    {
      it: 'leave a field that they drop to those who share it',
      properties: { n: number },
      steps: [
        { apply: 'a', set: { n: 1 } },
        { apply: 'b', set: { n: 1 } },
        { apply: 'a', set: {} },
      ],
      object: { n: 1 },
      owners: { 'b Apply': own('n') },
    },
    {
      it: 'keep a field that an updater took over',
      properties: { n: number },
      steps: [
        { apply: 'a', set: { n: 1 } },
        { update: 'u', set: { n: 2 } },
        { apply: 'a', set: {} },
      ],
      object: { n: 2 },
      owners: { 'u Update': own('n') },
    },
  ],
  updaters: [
    {
      it: 'own what they change and nothing else',
      properties: { n: number, m: map },
      steps: [
        { apply: 'a', set: { n: 1 } },
        { update: 'u', set: { n: 1, m: { x: '1' } } },
      ],
      owners: { 'a Apply': own('n'), 'u Update': { 'f:m': { '.': {}, ...own('x') } } },
    },
    {
      it: 'take removed fields away from everybody',
      properties: { n: number, m: map },
      steps: [
        { apply: 'a', set: { n: 1, m: { x: '1' } } },
        { update: 'u', set: { n: 1 } },
      ],
      owners: { 'a Apply': own('n') },
    },
  ],
  'keyed lists': [
    {
      it: 'merge items by their keys, new ones last',
      properties: { l: keyed },
      steps: [
        {
          apply: 'a',
          set: {
            l: [
              { name: 'x', v: 1 },
              { name: 'y', v: 1 },
            ],
          },
        },
        { apply: 'b', set: { l: [{ name: 'z' }, { name: 'y', inner: { k: 'v' } }] } },
      ],
      object: { l: [{ name: 'x', v: 1 }, { name: 'y', v: 1, inner: { k: 'v' } }, { name: 'z' }] },
      owners: {
        'a Apply': { 'f:l': { ...key('x', 'v'), ...key('y', 'v') } },
        'b Apply': {
          'f:l': {
            'k:{"name":"y"}': { '.': {}, 'f:inner': own('k'), 'f:name': {} },
            ...key('z'),
          },
        },
      },
    },
    {
      it: 'lose an item that its only applier drops, with what hangs below',
      properties: { l: keyed },
      steps: [
        { apply: 'a', set: { l: [{ name: 'x', inner: { k: 'v' } }, { name: 'y' }] } },
        { apply: 'a', set: { l: [{ name: 'y' }] } },
      ],
      object: { l: [{ name: 'y' }] },
      owners: { 'a Apply': { 'f:l': key('y') } },
    },
    {
      it: 'complete keys with their defaults',
      properties: { l: ports },
      steps: [
        { apply: 'a', set: { l: [{ port: 80, protocol: 'TCP', note: 'x' }] } },
        { apply: 'b', set: { l: [{ port: 80, note: 'y' }] } },
      ],
      conflicts: ['.l[port=80,protocol="TCP"].note'],
    },
    {
      it: 'refuse items without a key',
      properties: { l: ports },
      steps: [{ apply: 'a', set: { l: [{ note: 'y' }] } }],
      error:
        'failed to create typed patch object: .l: element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)',
    },
    {
      it: 'refuse two items with one key',
      properties: { l: ports },
      steps: [{ apply: 'a', set: { l: [{ port: 1 }, { port: 1, protocol: 'TCP' }] } }],
      error: 'failed to create typed patch object: .l: duplicate entries for key [port=1,protocol="TCP"]',
    },
  ],
  'sets and atomic lists': [
    {
      it: 'own a set value by value',
      properties: { s: set },
      steps: [
        { apply: 'a', set: { s: ['x', 'y'] } },
        { apply: 'b', set: { s: ['z', 'y'] } },
        { apply: 'a', set: { s: ['y'] } },
      ],
      object: { s: ['y', 'z'] },
      owners: { 'a Apply': { 'f:s': { 'v:"y"': {} } }, 'b Apply': { 'f:s': { 'v:"y"': {}, 'v:"z"': {} } } },
    },
    {
      it: 'refuse a value twice',
      properties: { s: set },
      steps: [{ apply: 'a', set: { s: ['x', 'x'] } }],
      error: 'failed to create typed patch object: .s: duplicate entries for key [="x"]',
    },
    {
      it: 'replace an atomic list as a whole',
      properties: { l: atomic },
      steps: [
        { apply: 'a', set: { l: ['x'] } },
        { apply: 'b', set: { l: ['y'] }, force: true },
      ],
      object: { l: ['y'] },
      owners: { 'b Apply': own('l') },
    },
    {
      it: 'replace an atomic map as a whole',
      properties: { m: { ...map, 'x-orch-map-type': 'atomic' } },
      steps: [
        { apply: 'a', set: { m: { x: '1' } } },
        { apply: 'b', set: { m: { y: '1' } } },
      ],
      conflicts: ['.m'],
    },
  ],
  versions: [
    {
      it: 'conflict in the version of the owner',
      properties: { a: number },
      steps: [
        { apply: 'x', set: { a: 1 } },
        { apply: 'y', set: { b: 2 }, version: 'v2' },
      ],
      conflicts: ['.a'],
    },
    {
      it: 'prune what was applied through another version',
      properties: { a: number, m: map },
      steps: [
        { apply: 'x', set: { a: 1, m: { k: 'v' } } },
        { apply: 'x', set: { m: { k: 'v' } }, version: 'v2' },
      ],
      object: { m: { k: 'v' } },
      owners: { 'x Apply': { 'f:m': own('k') } },
    },
    {
      it: 'forget owners whose version is gone when something changes',
      properties: { a: number, n: number },
      steps: [
        { apply: 'x', set: { a: 1 } },
        { dropVersion: 'v1' },
        { apply: 'y', set: { b: 2, n: 1 }, version: 'v2' },
      ],
      object: { b: 2, n: 1 },
      owners: { 'y Apply': own('b', 'n') },
    },
  ],
  'undeclared fields': [
    {
      it: 'are refused where the schema keeps none',
      properties: { n: number },
      steps: [{ apply: 'a', set: { nope: 1 } }],
      error: 'failed to create typed patch object: .nope: field not declared in schema',
    },
    {
      it: 'are owned one by one where the schema keeps them, lists as a whole',
      properties: { o: { type: 'object', 'x-orch-preserve-unknown-fields': true, properties: {} } },
      steps: [
        { apply: 'a', set: { o: { deep: { x: 1, l: [1] } } } },
        { apply: 'b', set: { o: { deep: { y: 2 } } } },
      ],
      object: { o: { deep: { x: 1, l: [1], y: 2 } } },
      owners: {
        'a Apply': { 'f:o': { 'f:deep': { '.': {}, ...own('l', 'x') } } },
        'b Apply': { 'f:o': { 'f:deep': { '.': {}, ...own('y') } } },
      },
    },
  ],
};

playAll(groups);
