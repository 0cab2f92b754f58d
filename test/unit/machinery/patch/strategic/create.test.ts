import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import type { JsonObject } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { PatchError } from '../../../../../src/machinery/patch/index.ts';
import {
  createStrategicMergePatch,
  createThreeWayStrategicPatch,
  PatchConflictError,
  type ThreeWayOptions,
} from '../../../../../src/machinery/patch/strategic/index.ts';

const catalog = createTypeCatalog(orchDialect);
const podType = catalog.type('v1.Pod');
const named = (text: string): JsonObject[] => (text === '' ? [] : text.split(' ').map((name) => ({ name })));
const withImages = (...pairs: string[]): JsonObject[] =>
  pairs.map((pair) => {
    const [name, image] = pair.split('=');
    return { name, image };
  });
const inSpec = (spec: JsonObject): JsonObject => ({ spec });
const inMetadata = (metadata: JsonObject): JsonObject => ({ metadata });
const messageOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof PatchError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'no error';
};

describe('createStrategicMergePatch', () => {
  interface Case {
    readonly title: string;
    readonly type?: string;
    readonly original: JsonObject;
    readonly modified: JsonObject;
    readonly patch: JsonObject;
  }
  const cases: readonly Case[] = [
    {
      title: 'says nothing of what is the same, whatever the order of members',
      original: { a: 1, spec: { containers: named('a b'), nodeName: 'n' } },
      modified: { spec: { nodeName: 'n', containers: named('a b') }, a: 1 },
      patch: {},
    },
    {
      title: 'sets, changes and removes members of objects',
      original: inMetadata({ labels: { kept: '1', changed: '1', gone: '1' } }),
      modified: inMetadata({ labels: { kept: '1', changed: '2', added: '3' } }),
      patch: inMetadata({ labels: { changed: '2', added: '3', gone: null } }),
    },
    {
      title: 'sets a value of another JSON type',
      original: inSpec({ hostname: { a: 1 }, nodeName: [] }),
      modified: inSpec({ hostname: 'h', nodeName: { b: 2 } }),
      patch: inSpec({ hostname: 'h', nodeName: { b: 2 } }),
    },
    {
      title: 'keeps a null that the target asks for',
      original: inSpec({ hostname: 'h' }),
      modified: inSpec({ hostname: null, nodeName: null }),
      patch: inSpec({ hostname: null, nodeName: null }),
    },
    {
      title: 'names changed items of a keyed list by their key',
      original: inSpec({ containers: withImages('a=1', 'b=1') }),
      modified: inSpec({ containers: withImages('a=1', 'b=2') }),
      patch: inSpec({
        containers: [{ name: 'b', image: '2' }],
        '$setElementOrder/containers': named('a b'),
      }),
    },
    {
      title: 'removes a member inside an item',
      original: inSpec({ containers: [{ name: 'a', image: 'i', tty: true }] }),
      modified: inSpec({ containers: [{ name: 'a', image: 'i' }] }),
      patch: inSpec({
        containers: [{ name: 'a', tty: null }],
        '$setElementOrder/containers': named('a'),
      }),
    },
    {
      title: 'deletes items behind the others, and gives the order of those that stay',
      original: inSpec({ containers: withImages('z=1', 'a=1', 'b=1') }),
      modified: inSpec({ containers: withImages('c=1', 'b=1', 'z=2') }),
      patch: inSpec({
        containers: [...withImages('c=1', 'z=2'), { name: 'a', $patch: 'delete' }],
        '$setElementOrder/containers': named('c b z'),
      }),
    },
    {
      title: 'gives only the order when only that differs',
      original: inSpec({ containers: named('a b c') }),
      modified: inSpec({ containers: named('c a b') }),
      patch: inSpec({ '$setElementOrder/containers': named('c a b') }),
    },
    {
      title: 'empties a keyed list item by item',
      original: inSpec({ containers: named('a b') }),
      modified: inSpec({ containers: [] }),
      patch: inSpec({
        containers: [
          { name: 'a', $patch: 'delete' },
          { name: 'b', $patch: 'delete' },
        ],
      }),
    },
    {
      title: 'sets a list that was empty without an order',
      original: inSpec({ containers: [] }),
      modified: inSpec({ containers: named('b a') }),
      patch: inSpec({ containers: named('b a') }),
    },
    {
      title: 'removes a whole list that is gone',
      original: inSpec({ containers: named('a') }),
      modified: inSpec({}),
      patch: inSpec({ containers: null }),
    },
    {
      title: 'goes on inside items',
      original: inSpec({ containers: [{ name: 'a', env: [{ name: 'X', value: '1' }, { name: 'Y' }] }] }),
      modified: inSpec({ containers: [{ name: 'a', env: [{ name: 'X', value: '2' }] }] }),
      patch: inSpec({
        '$setElementOrder/containers': named('a'),
        containers: [
          {
            name: 'a',
            '$setElementOrder/env': named('X'),
            env: [
              { name: 'X', value: '2' },
              { name: 'Y', $patch: 'delete' },
            ],
          },
        ],
      }),
    },
    {
      title: 'uses keys that are numbers',
      type: 'v1.Service',
      original: inSpec({ ports: [{ port: 80 }, { port: 9, name: 'x' }] }),
      modified: inSpec({ ports: [{ port: 80 }, { port: 9, name: 'y' }] }),
      patch: inSpec({
        ports: [{ port: 9, name: 'y' }],
        '$setElementOrder/ports': [{ port: 80 }, { port: 9 }],
      }),
    },
    {
      title: 'replaces lists that do not merge',
      original: inSpec({ tolerations: [{ key: 'a' }, { key: 'b' }] }),
      modified: inSpec({ tolerations: [{ key: 'b' }] }),
      patch: inSpec({ tolerations: [{ key: 'b' }] }),
    },
    {
      title: 'adds scalars to a merged list and takes others out',
      original: inMetadata({ finalizers: ['x', 'y'] }),
      modified: inMetadata({ finalizers: ['z', 'x'] }),
      patch: inMetadata({
        finalizers: ['z'],
        '$deleteFromPrimitiveList/finalizers': ['y'],
        '$setElementOrder/finalizers': ['z', 'x'],
      }),
    },
    {
      title: 'gives the order of scalars when only that differs',
      original: inMetadata({ finalizers: ['x', 'y'] }),
      modified: inMetadata({ finalizers: ['y', 'x'] }),
      patch: inMetadata({ '$setElementOrder/finalizers': ['y', 'x'] }),
    },
    {
      title: 'takes every scalar out of a list that is to be empty',
      original: inMetadata({ finalizers: ['x', 'y'] }),
      modified: inMetadata({ finalizers: [] }),
      patch: inMetadata({ '$deleteFromPrimitiveList/finalizers': ['x', 'y'] }),
    },
    {
      title: 'names the members to keep of a union',
      type: 'apps/v1.Deployment',
      original: inSpec({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }),
      modified: inSpec({ strategy: { type: 'Recreate' } }),
      patch: inSpec({ strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } }),
    },
    {
      title: 'names them in items of a list too, where an item changes',
      original: inSpec({
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', emptyDir: {} },
        ],
      }),
      modified: inSpec({
        volumes: [
          { name: 'a', hostPath: { path: '/' } },
          { name: 'b', emptyDir: {} },
        ],
      }),
      patch: inSpec({
        '$setElementOrder/volumes': named('a b'),
        volumes: [{ name: 'a', $retainKeys: ['hostPath', 'name'], hostPath: { path: '/' }, emptyDir: null }],
      }),
    },
    {
      title: 'treats members that the type does not have as plain JSON',
      original: { other: { list: [{ name: 'a' }], deep: { x: 1 } } },
      modified: { other: { list: [{ name: 'b' }], deep: { x: 1, y: 2 } } },
      patch: { other: { list: [{ name: 'b' }], deep: { y: 2 } } },
    },
  ];
  for (const { title, type = 'v1.Pod', original, modified, patch } of cases) {
    it(title, () => {
      const made = createStrategicMergePatch(original, modified, catalog.type(type), catalog);
      expect(made).to.deep.equal(patch);
    });
  }

  it('refuses lists that cannot be merged', () => {
    const diff = (before: unknown[], after: unknown[]) =>
      messageOf(() =>
        createStrategicMergePatch(
          inSpec({ containers: before }),
          inSpec({ containers: after }),
          podType,
          catalog,
        ),
      );
    expect(diff([{ name: 'a' }], [{ image: 'x' }])).to.equal(
      'not-mergeable: map: map[image:x] does not contain declared merge key: name',
    );
    expect(diff([{ name: 'a' }], ['a'])).to.equal(
      'not-mergeable: list element types are not identical: [[map[name:a]] [a]]',
    );
    expect(diff([[1]], [[2]])).to.equal('list-of-lists: lists of lists are not supported');
  });

  it('refuses what nests too deep', () => {
    const nest = (leaf: number): JsonObject => {
      let value: JsonObject = { leaf };
      for (let level = 0; level < 2000; level++) value = { a: value };
      return value;
    };
    expect(messageOf(() => createStrategicMergePatch(nest(1), nest(2), podType, catalog))).to.match(
      /^bad-patch: /,
    );
  });
});

describe('createThreeWayStrategicPatch', () => {
  interface States {
    readonly original: JsonObject;
    readonly modified: JsonObject;
    readonly current: JsonObject;
  }
  const make = (states: States, options?: ThreeWayOptions, type = 'v1.Pod'): JsonObject =>
    createThreeWayStrategicPatch(states, catalog.type(type), catalog, options);
  const conflictsOf = (states: States): readonly string[] => {
    try {
      make(states, { overwrites: false });
    } catch (error) {
      if (error instanceof PatchConflictError) return error.fields;
      throw error;
    }
    return [];
  };

  it('sets what differs, removes what was applied before, and leaves the rest', () => {
    const patch = make({
      original: inMetadata({ labels: { a: '1', gone: '1' } }),
      modified: inMetadata({ labels: { a: '2', b: '1' } }),
      current: inMetadata({ labels: { a: '1', gone: '1', theirs: '1' }, uid: 'u' }),
    });
    expect(patch).to.deep.equal(inMetadata({ labels: { a: '2', b: '1', gone: null } }));
  });

  it('says nothing when the live object already is as wanted', () => {
    const wanted = inSpec({ containers: withImages('a=1') });
    const current = inSpec({ containers: [{ name: 'a', image: '1', tty: true }], nodeName: 'n' });
    expect(make({ original: wanted, modified: wanted, current })).to.deep.equal({});
  });

  it('deletes the items that only the last one had, and keeps those of others', () => {
    const patch = make({
      original: inSpec({ containers: withImages('a=1', 'gone=1') }),
      modified: inSpec({ containers: withImages('a=2') }),
      current: inSpec({ containers: withImages('injected=1', 'a=1', 'gone=1') }),
    });
    expect(patch).to.deep.equal(
      inSpec({
        containers: [
          { name: 'a', image: '2' },
          { name: 'gone', $patch: 'delete' },
        ],
        '$setElementOrder/containers': named('a'),
      }),
    );
  });

  it('joins what an item loses and what it gets', () => {
    const patch = make({
      original: inSpec({ containers: [{ name: 'a', tty: true, env: named('X Y') }] }),
      modified: inSpec({ containers: [{ name: 'a', image: 'new', env: named('Y') }] }),
      current: inSpec({ containers: [{ name: 'a', tty: true, env: named('X Y Z') }] }),
    });
    expect(patch).to.deep.equal(
      inSpec({
        '$setElementOrder/containers': named('a'),
        containers: [
          {
            name: 'a',
            image: 'new',
            tty: null,
            '$setElementOrder/env': named('Y'),
            env: [{ name: 'X', $patch: 'delete' }],
          },
        ],
      }),
    );
  });

  it('takes out the scalars that were applied before, and only those', () => {
    const patch = make({
      original: inMetadata({ finalizers: ['mine', 'gone'] }),
      modified: inMetadata({ finalizers: ['mine'] }),
      current: inMetadata({ finalizers: ['gone', 'mine', 'theirs'] }),
    });
    expect(patch).to.deep.equal(
      inMetadata({
        '$deleteFromPrimitiveList/finalizers': ['gone'],
        '$setElementOrder/finalizers': ['mine'],
      }),
    );
  });

  it('clears the other members of a union, though the last one did not set them', () => {
    const patch = make(
      {
        original: inSpec({ strategy: { type: 'RollingUpdate' } }),
        modified: inSpec({ strategy: { type: 'Recreate' } }),
        current: inSpec({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } }),
      },
      {},
      'apps/v1.Deployment',
    );
    expect(patch).to.deep.equal(inSpec({ strategy: { $retainKeys: ['type'], type: 'Recreate' } }));
  });

  it('gives no order when it is to keep the one there is', () => {
    const states = {
      original: inSpec({}),
      modified: inSpec({ containers: withImages('b=1', 'a=2') }),
      current: inSpec({ containers: withImages('a=1') }),
    };
    expect(make(states, { setsOrder: false })).to.deep.equal(
      inSpec({ containers: withImages('b=1', 'a=2') }),
    );
    expect(make(states)).to.have.nested.property('spec.$setElementOrder/containers');
  });

  describe('when it may not overwrite', () => {
    it('goes on where others changed other fields, or changed them alike', () => {
      const states = {
        original: inSpec({ containers: withImages('a=1', 'b=1'), hostname: 'x' }),
        modified: inSpec({ containers: withImages('a=2', 'b=1'), hostname: 'y' }),
        current: inSpec({ containers: withImages('a=1', 'b=2', 'c=3'), nodeName: 'n', hostname: 'y' }),
      };
      // b's image was changed by others, and the file wants it back.
      expect(conflictsOf(states)).to.deep.equal(['spec.containers[name=b].image']);
      const modified = inSpec({ containers: [{ name: 'a', image: '2' }, { name: 'b' }], hostname: 'y' });
      const original = inSpec({ containers: [{ name: 'a', image: '1' }, { name: 'b' }], hostname: 'x' });
      expect(conflictsOf({ ...states, original, modified })).to.deep.equal([]);
    });

    it('names every field that it would overwrite', () => {
      const fields = conflictsOf({
        original: {
          metadata: { labels: { a: '1' }, finalizers: ['x'] },
          spec: { tolerations: [{ key: 'a' }] },
        },
        modified: {
          metadata: { labels: { a: '2' }, finalizers: ['y'] },
          spec: { tolerations: [{ key: 'b' }] },
        },
        current: {
          metadata: { labels: { a: '3' }, finalizers: ['x', 'z'] },
          spec: { tolerations: [{ key: 'c' }] },
        },
      });
      expect(fields).to.deep.equal(['metadata.labels.a', 'spec.tolerations[0].key']);
    });

    it('finds a change inside what it deletes', () => {
      const fields = conflictsOf({
        original: inSpec({ containers: withImages('a=1', 'b=1') }),
        modified: inSpec({ containers: withImages('a=1') }),
        current: inSpec({ containers: withImages('a=1', 'b=2') }),
      });
      expect(fields).to.deep.equal(['spec.containers[name=b]']);
    });

    it('counts a longer list that does not merge', () => {
      const args = (...list: string[]) => inSpec({ tolerations: list.map((key) => ({ key })) });
      const states = { original: args('a'), modified: args('b'), current: args('a', 'c') };
      expect(conflictsOf(states)).to.deep.equal(['spec.tolerations']);
    });
  });
});
