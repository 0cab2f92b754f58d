import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import type { JsonObject } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { PatchError } from '../../../../../src/machinery/patch/index.ts';
import {
  applyStrategicMergePatch,
  parseStrategicMergePatch,
  UsedMembers,
} from '../../../../../src/machinery/patch/strategic/index.ts';

const catalog = createTypeCatalog(orchDialect);
const apply = (type: string, current: unknown, patch: JsonObject): JsonObject =>
  applyStrategicMergePatch(current, patch, catalog.type(type), catalog);
const names = (list: unknown): unknown => (list as { name: string }[]).map(({ name }) => name).join(' ');
const named = (text: string): JsonObject[] => text.split(' ').map((name) => ({ name }));

interface Case {
  readonly title: string;
  readonly type: string;
  readonly current: JsonObject;
  readonly patch: JsonObject;
  readonly wanted: JsonObject;
}

function itApplies(cases: readonly Case[]): void {
  for (const { title, type, current, patch, wanted } of cases) {
    it(title, () => expect(apply(type, current, patch)).to.deep.equal(wanted));
  }
}

describe('applyStrategicMergePatch', () => {
  describe('objects', () => {
    itApplies([
      {
        title: 'merges them and removes what is null',
        type: 'v1.ConfigMap',
        current: { data: { a: '1', b: '2' }, metadata: { labels: { x: 'y' } } },
        patch: { data: { a: null, c: '3' } },
        wanted: { data: { b: '2', c: '3' }, metadata: { labels: { x: 'y' } } },
      },
      {
        title: 'takes what is not there yet as it stands, nulls included',
        type: 'v1.ConfigMap',
        current: { metadata: {} },
        patch: { metadata: { labels: { x: null, y: 'z' } } },
        wanted: { metadata: { labels: { x: null, y: 'z' } } },
      },
      {
        title: 'replaces one with $patch: replace',
        type: 'v1.ConfigMap',
        current: { data: { a: '1', b: '2' } },
        patch: { data: { $patch: 'replace', c: '3' } },
        wanted: { data: { c: '3' } },
      },
      {
        title: 'empties one with $patch: delete',
        type: 'v1.ConfigMap',
        current: { data: { a: '1' } },
        patch: { data: { $patch: 'delete', c: '3' } },
        wanted: { data: {} },
      },
      {
        title: 'keeps only the keys to retain',
        type: 'apps/v1.DeploymentSpec',
        current: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } } },
        patch: { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } },
        wanted: { strategy: { type: 'Recreate' } },
      },
      {
        title: 'takes what no type knows as it stands while there is nothing to merge it with',
        type: 'v1.ConfigMap',
        current: { foo: 'x' },
        patch: { foo: { a: { c: 2 } }, bar: [{ name: 'y' }] },
        wanted: { foo: { a: { c: 2 } }, bar: [{ name: 'y' }] },
      },
      {
        title: 'replaces a value of another JSON type',
        type: 'v1.ConfigMap',
        current: { data: { a: '1' }, metadata: { name: 'x' } },
        patch: { data: ['a'], metadata: 5 },
        wanted: { data: ['a'], metadata: 5 },
      },
    ]);
  });

  describe('lists of objects', () => {
    itApplies([
      {
        title: 'merges items by the field’s key, without touching the others',
        type: 'v1.Container',
        current: { ports: [{ containerPort: 80, protocol: 'TCP' }] },
        patch: { ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }] },
        wanted: { ports: [{ containerPort: 80, protocol: 'TCP', name: 'web' }, { containerPort: 81 }] },
      },
      {
        title: 'goes into the items that it merges',
        type: 'v1.PodSpec',
        current: { containers: [{ name: 'c', env: [{ name: 'A', value: '1' }], args: ['a'] }] },
        patch: { containers: [{ name: 'c', env: [{ name: 'B', value: '2' }], args: ['b'] }] },
        wanted: {
          containers: [
            {
              name: 'c',
              env: [
                { name: 'B', value: '2' },
                { name: 'A', value: '1' },
              ],
              args: ['b'],
            },
          ],
        },
      },
      {
        title: 'merges topology constraints by their one key',
        type: 'v1.PodSpec',
        current: { topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 1 }] },
        patch: { topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 2 }] },
        wanted: { topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 2 }] },
      },
      {
        title: 'replaces lists that the type does not merge',
        type: 'v1.PodSpec',
        current: { tolerations: [{ key: 'a' }] },
        patch: { tolerations: [{ key: 'b' }] },
        wanted: { tolerations: [{ key: 'b' }] },
      },
      {
        title: 'deletes an item, and does not mind one that is not there',
        type: 'v1.PodSpec',
        current: { containers: named('a b') },
        patch: {
          containers: [
            { name: 'a', $patch: 'delete' },
            { name: 'zz', $patch: 'delete' },
          ],
        },
        wanted: { containers: named('b') },
      },
      {
        title: 'replaces the list where an item says so',
        type: 'v1.PodSpec',
        current: { containers: named('a b') },
        patch: { containers: [{ $patch: 'replace' }, ...named('n b')] },
        wanted: { containers: named('n b') },
      },
      {
        title: 'retains keys of an item',
        type: 'v1.PodSpec',
        current: { volumes: [{ name: 'v', emptyDir: {} }] },
        patch: { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'x' } }] },
        wanted: { volumes: [{ name: 'v', configMap: { name: 'x' } }] },
      },
      {
        title: 'merges items of the patch that share a key',
        type: 'v1.PodSpec',
        current: { containers: named('a') },
        patch: {
          containers: [
            { name: 'n', image: 'i' },
            { name: 'n', tty: true },
          ],
        },
        wanted: { containers: [{ name: 'n', image: 'i', tty: true }, { name: 'a' }] },
      },
      {
        title: 'removes a list that is null',
        type: 'v1.PodSpec',
        current: { containers: named('a') },
        patch: { containers: null },
        wanted: {},
      },
    ]);
  });

  describe('order', () => {
    const cases: [live: string, patch: string, order: string | undefined, wanted: string][] = [
      ['a b c', 'n', undefined, 'n a b c'],
      ['a b c', 'c a', undefined, 'b c a'],
      ['a b c', 'b', undefined, 'a b c'],
      ['a b c d', 'd b', undefined, 'a c d b'],
      ['a b c', 'n', 'c n a b', 'c n a b'],
      ['a b c', 'b', 'b a', 'b a c'],
      ['a x b y', 'b a', 'b a', 'x b a y'],
    ];
    for (const [live, patch, order, wanted] of cases) {
      const given = order === undefined ? '' : ` and the order ${order}`;
      it(`of ${live} with ${patch}${given} is ${wanted}`, () => {
        const change: JsonObject = { containers: named(patch) };
        if (order !== undefined) change['$setElementOrder/containers'] = named(order);
        const result = apply('v1.PodSpec', { containers: named(live) }, change);
        expect(names(result.containers)).to.equal(wanted);
        expect(Object.keys(result)).to.deep.equal(['containers']);
      });
    }

    it('can be all that changes', () => {
      const patch = { '$setElementOrder/containers': named('b a') };
      expect(names(apply('v1.PodSpec', { containers: named('a b') }, patch).containers)).to.equal('b a');
    });

    it('does not count deleted items', () => {
      const patch = {
        '$setElementOrder/containers': named('c b'),
        containers: [{ name: 'a', $patch: 'delete' }, { name: 'b' }],
      };
      expect(names(apply('v1.PodSpec', { containers: named('a b c') }, patch).containers)).to.equal('c b');
    });

    it('without any list changes nothing', () => {
      expect(apply('v1.PodSpec', {}, { '$setElementOrder/containers': named('a') })).to.deep.equal({});
    });
  });

  describe('lists of scalars', () => {
    const cases: [title: string, live: string[], patch: JsonObject, wanted: unknown][] = [
      ['adds new ones in the order of the patch', ['a', 'c'], { finalizers: ['d', 'a'] }, ['d', 'a', 'c']],
      [
        'deletes, and ignores what is not there',
        ['a', 'b', 'c'],
        { '$deleteFromPrimitiveList/finalizers': ['b', 'z'] },
        ['a', 'c'],
      ],
      [
        'orders without adding',
        ['d', 'a', 'c'],
        { '$setElementOrder/finalizers': ['d', 'c', 'a'], finalizers: [] },
        ['d', 'c', 'a'],
      ],
      ['keeps one of equal ones', ['a', 'a'], { finalizers: ['b', 'b'] }, ['b', 'a']],
      ['removes all for a null', ['a'], { '$deleteFromPrimitiveList/finalizers': null }, undefined],
    ];
    for (const [title, live, patch, wanted] of cases) {
      it(title, () => {
        const result = apply('meta.orch.io/v1.ObjectMeta', { finalizers: live }, patch);
        expect(result.finalizers).to.deep.equal(wanted);
      });
    }

    const replaced: [typeName: string, live: JsonObject, patch: JsonObject, wanted: JsonObject][] = [
      [
        'v1.Capabilities',
        { drop: ['ALL', 'x'] },
        { '$deleteFromPrimitiveList/drop': ['x'] },
        { drop: ['x'] },
      ],
      [
        'v1.PodDNSConfig',
        { options: [{ name: 'a' }] },
        { '$deleteFromPrimitiveList/options': ['x'] },
        { options: ['x'] },
      ],
      [
        'meta.orch.io/v1.ObjectMeta',
        { finalizers: ['a'] },
        { '$deleteFromPrimitiveList/finalizers': 'a' },
        { finalizers: 'a' },
      ],
    ];
    for (const [typeName, live, patch, wanted] of replaced) {
      it(`replaces what does not merge: ${JSON.stringify(patch)}`, () => {
        expect(apply(typeName, live, patch)).to.deep.equal(wanted);
      });
    }

    it('takes what was to be deleted where there is nothing to delete from', () => {
      const patch = { '$deleteFromPrimitiveList/finalizers': ['a'] };
      expect(apply('meta.orch.io/v1.ObjectMeta', { name: 'x' }, patch)).to.deep.equal({
        name: 'x',
        finalizers: ['a'],
      });
    });
  });

  it('notes what of the patch was followed', () => {
    const used = new UsedMembers();
    const patch = {
      metadata: { $patch: 'replace', name: 'a' },
      spec: {
        $retainKeys: ['containers', 'nodeSelector'],
        '$setElementOrder/containers': named('a'),
        containers: [{ name: 'a', image: 'i' }],
        nodeSelector: { $retainKeys: ['b'], b: 'c' },
      },
    };
    const current = { metadata: { name: 'a' }, spec: { containers: named('a') } };
    applyStrategicMergePatch(current, patch, catalog.type('v1.Pod'), catalog, used);
    expect(used.without(patch)).to.deep.equal({
      metadata: { name: 'a' },
      spec: { nodeSelector: { $retainKeys: ['b'], b: 'c' } },
    });
  });

  describe('failures', () => {
    const cases: [patch: JsonObject, code: string, message: string][] = [
      [{ $retainKeys: 'name', name: 'x' }, 'bad-patch', 'invalid patch format of retainKeys'],
      [{ $retainKeys: ['a'], hostname: 'x' }, 'bad-patch', 'invalid patch format of retainKeys'],
      [{ $patch: 'merge' }, 'not-mergeable', 'unknown patch type: merge in map: map[$patch:merge]'],
      [
        { $patch: 7, z: [null, 'b'], a: true },
        'not-mergeable',
        'unknown patch type: %!s(int64=7) in map: map[$patch:7 a:true z:[<nil> b]]',
      ],
      [
        { containers: [{ $patch: 'merge', name: 'a' }] },
        'not-mergeable',
        'merging lists cannot yet be specified in the patch',
      ],
      [
        { containers: [{ $patch: 'x', name: 'a' }] },
        'not-mergeable',
        'unknown patch type: x in map: map[$patch:x name:a]',
      ],
      [
        { containers: [{ image: 'i' }] },
        'not-mergeable',
        'map: map[image:i] does not contain declared merge key: name',
      ],
      [
        { containers: [{ $patch: 'delete' }] },
        'not-mergeable',
        'map: map[$patch:delete] does not contain declared merge key: name',
      ],
      [
        { containers: ['a'] },
        'not-mergeable',
        'list element types are not identical: [[map[name:a] map[name:b]] [a]]',
      ],
      [
        { containers: [[]], other: 1 },
        'not-mergeable',
        'list element types are not identical: [[map[name:a] map[name:b]] [[]]]',
      ],
      [
        { '$setElementOrder/containers': 'a' },
        'not-mergeable',
        'expected a []interface {}, but received a string',
      ],
      [
        { '$setElementOrder/containers': named('a'), containers: [{ name: 'q', image: 'q:1' }] },
        'not-mergeable',
        "The order in patch list:\n[map[image:q:1 name:q]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
      ],
      [
        { '$setElementOrder/containers': named('a'), containers: [{ name: 'a' }, { $patch: 'replace' }] },
        'not-mergeable',
        "The order in patch list:\n[map[name:a] map[$patch:replace]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
      ],
      [{ $setElementOrder: [] }, 'bad-patch', 'invalid patch format of setElementOrder list'],
      [{ '$deleteFromPrimitiveListX/containers': [] }, 'bad-patch', 'invalid patch format of primitive list'],
    ];
    for (const [patch, code, message] of cases) {
      it(`${JSON.stringify(patch)}: ${code}`, () => {
        try {
          apply('v1.PodSpec', { containers: named('a b') }, patch);
        } catch (error) {
          expect(error).to.be.instanceOf(PatchError);
          expect((error as PatchError).code).to.equal(code);
          expect((error as PatchError).message).to.equal(message);
          return;
        }
        expect.fail('must be refused');
      });
    }

    const lookups: [type: string, current: JsonObject, patch: JsonObject, message: string][] = [
      [
        'v1.ConfigMap',
        { foo: {} },
        { foo: {} },
        'unable to find api field in struct ConfigMap for the json field "foo"',
      ],
      [
        'v1.PodSpec',
        {},
        { '$setElementOrder/ports': [] },
        'unable to find api field in struct PodSpec for the json field "ports"',
      ],
      [
        'networking.orch.io/v1.IngressSpec',
        { defaultBackend: { resource: {} } },
        { defaultBackend: { resource: { '$setElementOrder/a"b': [] } } },
        'unable to find api field in struct TypedLocalObjectReference for the json field "a\\"b"',
      ],
      [
        'apiextensions.orch.io/v1.JSONSchemaProps',
        { properties: { a: { required: ['x'] } } },
        { properties: { a: { required: ['y'] } } },
        'merging an object in json but data type is not struct, instead is: map',
      ],
      [
        'v1.ConfigMap',
        { data: {} },
        { data: { '$setElementOrder/a': [] } },
        'merging an object in json but data type is not struct, instead is: map',
      ],
      ['v1.ConfigMap', {}, { '$setElementOrder/data': [] }, 'expected slice or array type, but got: struct'],
      [
        'v1.PodSpec',
        { dnsConfig: {} },
        { dnsConfig: { '$setElementOrder/options': [], '$setElementOrder/Options': [] } },
        '',
      ],
      [
        'v1.PodSpec',
        { securityContext: {} },
        { securityContext: { '$setElementOrder/runAsUser': [], '$setElementOrder/fsGroupChangePolicy': [] } },
        '',
      ],
      [
        'v1.PodSpec',
        { affinity: { podAffinity: {} } },
        { affinity: { podAffinity: { $retainKeys: [], '$setElementOrder/x': [] } } },
        'unable to find api field in struct PodAffinity for the json field "x"',
      ],
      [
        'v1.PersistentVolumeSpec',
        { csi: { driver: 'd' } },
        { csi: { '$setElementOrder/volumeAttributes': [] } },
        'expected slice or array type, but got: ptr',
      ],
    ];
    for (const [type, current, patch, message] of lookups) {
      it(`looks up ${JSON.stringify(patch)} of ${type}: ${message || 'fine'}`, () => {
        if (message === '') expect(apply(type, current, patch)).to.deep.equal(current);
        else {
          expect(() => apply(type, current, patch))
            .to.throw(PatchError, message)
            .with.property('code', 'not-mergeable');
        }
      });
    }

    it('refuses lists of lists', () => {
      const patch = { finalizers: [['a']] };
      expect(() => apply('meta.orch.io/v1.ObjectMeta', { finalizers: [] }, patch))
        .to.throw(PatchError, 'lists of lists are not supported')
        .with.property('code', 'list-of-lists');
    });

    it('refuses a patch that nests too deep instead of overflowing the stack', () => {
      const deep = (): JsonObject => JSON.parse(`${'{"not":'.repeat(5000)}1${'}'.repeat(5000)}`);
      const type = 'apiextensions.orch.io/v1.JSONSchemaProps';
      expect(() => apply(type, deep(), deep())).to.throw(PatchError, 'exceeded max depth');
      const printed = JSON.parse(`{"$patch":"x","a":${'['.repeat(5000)}${']'.repeat(5000)}}`);
      expect(() => apply('v1.ConfigMap', {}, printed)).to.throw(PatchError, 'exceeded max depth');
    });
  });
});

describe('parseStrategicMergePatch', () => {
  it('takes null for a patch that changes nothing', () => {
    expect(parseStrategicMergePatch(null)).to.deep.equal({});
  });

  const refused: [unknown, string][] = [
    [[], 'array'],
    ['x', 'string'],
    [1, 'number'],
    [true, 'bool'],
  ];
  for (const [body, kind] of refused) {
    it(`refuses ${JSON.stringify(body)}`, () => {
      expect(() => parseStrategicMergePatch(body)).to.throw(
        PatchError,
        `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
      );
    });
  }
});
