import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ChangingKind,
  type ChangingResources,
  createResourceTable,
  encodeGroups,
  type ResourceFragments,
  type ServedGroup,
  type ServedResource,
  toApiResources,
  toResourceDiscovery,
} from '../../../../src/apis/resources/index.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';
import type { JsonObject } from '../../../support/api-client.ts';

const table = createResourceTable({ dialect });

const resource = (group: string, version: string, name: string): ServedResource => ({
  group,
  version,
  kind: `K${name}`,
  resource: name,
  listKind: `K${name}List`,
  singular: '',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['get'],
  subresources: [],
});

/** Kinds of one group, each in versions of its own. */
const customsOf = (group: string, kinds: readonly ChangingKind[]): ChangingResources => ({
  revision: 0,
  groups: () => [],
  inVersion: () => [],
  kindsOf: (name) => (name === group ? kinds : []),
  formerGroups: [],
});

const kindOf = (group: string, name: string, versions: readonly string[]) => {
  let shown = 0;
  const kind: ChangingKind = {
    shownResources() {
      shown++;
      return versions.map((version) => resource(group, version, name));
    },
  };
  return { kind, shown: () => shown };
};

const read = (
  groups: readonly ServedGroup[],
  customs?: ChangingResources,
  fragments: ResourceFragments = new WeakMap(),
): JsonObject[] => JSON.parse(`[${[...encodeGroups({ table, groups, customs }, fragments)].join('')}]`);

describe('toResourceDiscovery', () => {
  it('says the same as plain discovery, and singular names', () => {
    for (const each of table.resources) {
      const [own, ...below] = toApiResources(each);
      const {
        resource: name,
        scope,
        verbs,
        shortNames,
        categories,
        responseKind,
        singularResource,
        subresources = [],
      } = toResourceDiscovery(each);
      expect({ name, namespaced: scope === 'Namespaced', verbs, kind: responseKind.kind }).to.deep.equal({
        name: own?.name,
        namespaced: own?.namespaced,
        verbs: own?.verbs,
        kind: own?.kind,
      });
      expect({ shortNames, categories }).to.deep.equal({
        shortNames: own?.shortNames,
        categories: own?.categories,
      });
      expect(singularResource).to.equal(each.kind.toLowerCase());
      expect(
        subresources.map((sub) => ({
          name: `${name}/${sub.subresource}`,
          kind: sub.responseKind.kind,
          verbs: sub.verbs,
        })),
      ).to.deep.equal(below.map((sub) => ({ name: sub.name, kind: sub.kind, verbs: sub.verbs })));
    }
  });
});

describe('encodeGroups', () => {
  it('tells of every built-in resource in its version, in order', () => {
    const groups = read(table.groups);
    expect(groups.map(({ metadata }) => metadata.name ?? '')).to.deep.equal(
      table.groups.map(({ name }) => name),
    );
    const told = groups.flatMap(({ metadata: { name = '' }, versions }) =>
      versions.flatMap(({ version, resources }: JsonObject) =>
        resources.map((each: JsonObject) => `${name}/${version}/${each.resource}`),
      ),
    );
    expect(told).to.deep.equal(
      table.resources.map((each) => `${each.group}/${each.version}/${each.resource}`),
    );
  });

  it('gives each kind to the versions that it has', () => {
    const version = fc.constantFrom('v1', 'v2', 'v1beta1');
    const versionSets = fc.uniqueArray(version, { minLength: 1 });
    fc.assert(
      fc.property(fc.array(versionSets, { minLength: 1, maxLength: 5 }), (sets) => {
        const kinds = sets.map((versions, index) => kindOf('x.example.com', `r${index}`, versions).kind);
        const versions = [...new Set(sets.flat())].sort();
        const groups = [{ name: 'x.example.com', versions, preferredVersion: versions[0] ?? '' }];
        const [told] = read(groups, customsOf('x.example.com', kinds));
        expect(told?.versions.map((each: JsonObject) => each.version)).to.deep.equal(versions);
        for (const each of told?.versions ?? []) {
          const names = sets.flatMap((set, index) => (set.includes(each.version) ? [`r${index}`] : []));
          expect(each.resources.map((one: JsonObject) => one.resource)).to.deep.equal(names);
          expect(each.freshness).to.equal('Current');
        }
      }),
    );
  });

  it('makes what is told of a kind once', () => {
    const { kind, shown } = kindOf('x.example.com', 'r', ['v1', 'v2']);
    const groups = [{ name: 'x.example.com', versions: ['v1', 'v2'], preferredVersion: 'v1' }];
    const fragments: ResourceFragments = new WeakMap();
    const first = read(groups, customsOf('x.example.com', [kind]), fragments);
    expect(read(groups, customsOf('x.example.com', [kind]), fragments)).to.deep.equal(first);
    expect(shown()).to.equal(1);
  });
});
