import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { type JsonObject, rawNumber } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { PatchError } from '../../../../../src/machinery/patch/index.ts';
import {
  applyStrategicMergePatch,
  createThreeWayStrategicPatch,
  formatGo,
  PatchConflictError,
} from '../../../../../src/machinery/patch/strategic/index.ts';

const catalog = createTypeCatalog(orchDialect);
const apply = (type: string, current: JsonObject, patch: JsonObject): JsonObject =>
  applyStrategicMergePatch(current, patch, catalog.type(type), catalog);

describe('lists of built-in types under strategic merge', () => {
  // The merge keys of release 1.20, as its published schema has them.
  const keyed: readonly (readonly [type: string, field: string, key: string])[] = [
    ['v1.PodSpec', 'containers', 'name'],
    ['v1.PodSpec', 'initContainers', 'name'],
    ['v1.PodSpec', 'ephemeralContainers', 'name'],
    ['v1.PodSpec', 'volumes', 'name'],
    ['v1.PodSpec', 'imagePullSecrets', 'name'],
    ['v1.PodSpec', 'hostAliases', 'ip'],
    ['v1.PodSpec', 'topologySpreadConstraints', 'topologyKey'],
    ['v1.Container', 'env', 'name'],
    ['v1.Container', 'ports', 'containerPort'],
    ['v1.Container', 'volumeMounts', 'mountPath'],
    ['v1.Container', 'volumeDevices', 'devicePath'],
    ['v1.PodStatus', 'conditions', 'type'],
    ['v1.PodStatus', 'podIPs', 'ip'],
    ['v1.NodeStatus', 'addresses', 'type'],
    ['v1.NodeStatus', 'conditions', 'type'],
    ['v1.NamespaceStatus', 'conditions', 'type'],
    ['v1.ServiceSpec', 'ports', 'port'],
    ['v1.ServiceAccount', 'secrets', 'name'],
    ['apps/v1.DeploymentStatus', 'conditions', 'type'],
    ['batch/v1.JobStatus', 'conditions', 'type'],
    ['meta.orch.io/v1.ObjectMeta', 'ownerReferences', 'uid'],
  ];
  for (const [type, field, key] of keyed) {
    it(`${type}.${field} merges by ${key}`, () => {
      const current = { [field]: [{ [key]: 'one', other: 1 }, { [key]: 'two' }] };
      const patch = { [field]: [{ [key]: 'two', more: 2 }, { [key]: 'three' }] };
      const result = apply(type, current, patch)[field];
      expect(result).to.have.deep.members([
        { [key]: 'one', other: 1 },
        { [key]: 'two', more: 2 },
        { [key]: 'three' },
      ]);
      const deletion = { [field]: [{ [key]: 'one', $patch: 'delete' }] };
      expect(apply(type, current, deletion)[field]).to.deep.equal([{ [key]: 'two' }]);
      expect(() => apply(type, current, { [field]: [{ other: 1 }] })).to.throw(
        PatchError,
        `map: map[other:1] does not contain declared merge key: ${key}`,
      );
    });
  }

  const replaced: readonly (readonly [type: string, field: string])[] = [
    ['v1.PodSpec', 'tolerations'],
    ['v1.PodSpec', 'readinessGates'],
    ['v1.Container', 'command'],
    ['v1.Container', 'args'],
    ['v1.Container', 'envFrom'],
    ['v1.ServiceSpec', 'externalIPs'],
    ['v1.ServiceSpec', 'loadBalancerSourceRanges'],
    ['v1.Endpoints', 'subsets'],
    ['rbac.authorization.orch.io/v1.Role', 'rules'],
    ['rbac.authorization.orch.io/v1.RoleBinding', 'subjects'],
    ['networking.orch.io/v1.IngressSpec', 'rules'],
    ['v1.ServiceAccount', 'imagePullSecrets'],
  ];
  for (const [type, field] of replaced) {
    it(`${type}.${field} is replaced`, () => {
      expect(apply(type, { [field]: ['a', 'b'] }, { [field]: ['b', 'c'] })).to.deep.equal({
        [field]: ['b', 'c'],
      });
      expect(apply(type, { [field]: ['a'] }, { [field]: [] })).to.deep.equal({ [field]: [] });
    });
  }

  it('of scalars that merge are finalizers', () => {
    const meta = 'meta.orch.io/v1.ObjectMeta';
    expect(apply(meta, { finalizers: ['a', 'b'] }, { finalizers: ['c'] }).finalizers).to.have.members([
      'a',
      'b',
      'c',
    ]);
    const patch = { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] };
    expect(apply(meta, { finalizers: ['a', 'b'] }, patch).finalizers).to.have.members(['b', 'c']);
  });

  it('that merge without a key must hold scalars', () => {
    const meta = 'meta.orch.io/v1.ObjectMeta';
    expect(() => apply(meta, { finalizers: [{}] }, { finalizers: [{ a: 1 }] })).to.throw(
      PatchError,
      /^cannot merge lists without merge key for interface/,
    );
    expect(() => apply(meta, { finalizers: ['a'] }, { finalizers: [5] })).to.throw(
      PatchError,
      'list element types are not identical: [[a] [5]]',
    );
  });

  it('keep the items of an object that has none of them yet, directives included', () => {
    const containers = [{ name: 'a', $patch: 'delete' }];
    expect(apply('v1.PodSpec', {}, { containers })).to.deep.equal({ containers });
  });
});

describe('conflicts of a three-way patch that may not overwrite', () => {
  const conflictsOf = (
    type: string,
    original: JsonObject,
    modified: JsonObject,
    current: JsonObject,
  ): readonly string[] => {
    try {
      createThreeWayStrategicPatch({ original, modified, current }, catalog.type(type), catalog, {
        overwrites: false,
      });
    } catch (error) {
      if (error instanceof PatchConflictError) return error.fields;
      throw error;
    }
    return [];
  };
  const rows: readonly (readonly [
    title: string,
    type: string,
    states: readonly [JsonObject, JsonObject, JsonObject],
    fields: readonly string[],
  ])[] = [
    [
      'nobody else changed anything',
      'v1.ConfigMap',
      [{ data: { a: '1' } }, { data: { a: '2' } }, { data: { a: '1' } }],
      [],
    ],
    [
      'both changed it alike',
      'v1.ConfigMap',
      [{ data: { a: '1' } }, { data: { a: '2' } }, { data: { a: '2' } }],
      [],
    ],
    [
      'both changed it otherwise',
      'v1.ConfigMap',
      [{ data: { a: '1' } }, { data: { a: '2' } }, { data: { a: '3' } }],
      ['data.a'],
    ],
    [
      'others removed what is wanted otherwise',
      'v1.ConfigMap',
      [{ data: { a: '1' } }, { data: { a: '2' } }, { data: {} }],
      ['data.a'],
    ],
    [
      'others changed what is removed',
      'v1.ConfigMap',
      [{ data: { a: '1' } }, { data: {} }, { data: { a: '3' } }],
      ['data.a'],
    ],
    [
      'items of a keyed list, named by key',
      'v1.PodSpec',
      [
        { containers: [{ name: 'c', image: 'x' }] },
        { containers: [{ name: 'c', image: 'y' }] },
        { containers: [{ name: 'c', image: 'z' }] },
      ],
      ['containers[name=c].image'],
    ],
    [
      'different fields of one item',
      'v1.PodSpec',
      [
        { containers: [{ name: 'c' }] },
        { containers: [{ name: 'c', image: 'y' }] },
        { containers: [{ name: 'c', tty: true }] },
      ],
      [],
    ],
    [
      'different items',
      'v1.PodSpec',
      [
        { containers: [{ name: 'c' }] },
        { containers: [{ name: 'c' }, { name: 'd' }] },
        { containers: [{ name: 'c' }, { name: 'e' }] },
      ],
      [],
    ],
    [
      'a replaced list of scalars',
      'v1.Container',
      [{ args: ['a'] }, { args: ['b'] }, { args: ['c'] }],
      ['args'],
    ],
    [
      'a replaced list of objects, item by item',
      'v1.PodSpec',
      [{ tolerations: [{ key: 'a' }] }, { tolerations: [{ key: 'b' }] }, { tolerations: [{ key: 'c' }] }],
      ['tolerations[0].key'],
    ],
    [
      'scalars that merge, which never conflict',
      'meta.orch.io/v1.ObjectMeta',
      [{ finalizers: ['a'] }, { finalizers: ['a', 'b'] }, { finalizers: ['a', 'c'] }],
      [],
    ],
    [
      'several fields, each named',
      'v1.ConfigMap',
      [{ data: { a: '1', b: '1' } }, { data: { a: '2', b: '2' } }, { data: { a: '3', b: '3' } }],
      ['data.a', 'data.b'],
    ],
  ];
  for (const [title, type, [original, modified, current], fields] of rows) {
    it(`${title}: ${fields.join(', ') || 'none'}`, () => {
      expect(conflictsOf(type, original, modified, current)).to.deep.equal(fields);
    });
  }
});

describe('formatGo', () => {
  const rows: readonly (readonly [unknown, string])[] = [
    [null, '<nil>'],
    [undefined, '<nil>'],
    ['text', 'text'],
    ['', ''],
    [5, '5'],
    [1.5, '1.5'],
    [rawNumber('9007199254740993'), '9007199254740993'],
    [true, 'true'],
    [[], '[]'],
    [[1, 'a', null], '[1 a <nil>]'],
    [{}, 'map[]'],
    [{ b: 1, a: [{ c: 'd' }] }, 'map[a:[map[c:d]] b:1]'],
  ];
  for (const [value, text] of rows) {
    it(`shows ${JSON.stringify(value)} as ${text}`, () => expect(formatGo(value)).to.equal(text));
  }
});
