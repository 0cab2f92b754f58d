import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import {
  createKindFamilies,
  createObjectConverter,
  type KindFamily,
  loadConversionLosses,
} from '../../../../src/apis/conversions/index.ts';
import { loadResources } from '../../../../src/apis/resources/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { formatGroupVersion, parseGroupVersion } from '../../../../src/machinery/schema/index.ts';
import { Random, randomObject } from './random-object.ts';
import { makeValid } from './valid-object.ts';

const catalog = createTypeCatalog(orchDialect);
const { find: familyOf } = createKindFamilies(orchDialect, catalog);
const convert = createObjectConverter(orchDialect, catalog);
const losses = loadConversionLosses(orchDialect);
const runs = 12;

/** Every family that has more than one version. Autoscalers, whose metrics must fit together, have tests of their own. */
function families(): KindFamily[] {
  const found = new Set<KindFamily>();
  const { resources } = loadResources(orchDialect);
  const versions = [...Object.keys(resources), 'apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1'];
  for (const version of versions) {
    const kinds = Object.values(resources[version] ?? {}).map(({ kind }) => kind);
    for (const kind of [...kinds, 'NetworkPolicy', 'PodSecurityPolicy', 'DaemonSet', 'Scale']) {
      const family = familyOf({ ...parseVersion(version), kind });
      if (family !== undefined && family.versions.length > 1) found.add(family);
    }
  }
  return [...found].filter(({ kind }) => kind !== 'HorizontalPodAutoscaler');
}

function parseVersion(text: string) {
  const parsed = parseGroupVersion(text);
  if (parsed === undefined) throw new RangeError(`bad version ${text}`);
  return parsed;
}

function typeOf(version: string, kind: string) {
  const type = catalog.kind({ ...parseVersion(version), kind });
  if (type === undefined) throw new RangeError(`no ${kind} in ${version}`);
  return type;
}

/** Takes a lost field out of an object; `[*]` goes through lists, a last `*` takes all. */
function remove(value: unknown, path: readonly string[]): void {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== 'object' || value === null) return;
  if (name === '[*]') {
    for (const item of value as unknown[]) remove(item, rest);
    return;
  }
  const fields = value as Record<string, unknown>;
  if (rest.length === 0) delete fields[name];
  else remove(fields[name], rest);
}

const splitPath = (path: string): string[] => path.replaceAll('[*]', '.[*]').split('.');

describe('conversion of every kind', () => {
  const all = families();

  it('knows the kinds that have several versions', () => {
    const kinds = all.map(({ kind }) => kind);
    expect(kinds).to.include.members(['CronJob', 'Deployment', 'Event', 'Ingress', 'Lease', 'NetworkPolicy']);
    expect(kinds.length).to.be.at.least(35);
  });

  for (const family of all) {
    it(`brings ${family.kind} (${family.versions.join(', ')}) there and back without loss`, () => {
      for (const from of family.versions) {
        const type = typeOf(from, family.kind);
        const fix = makeValid[`${from}.${family.kind}`];
        for (let seed = 0; seed < runs; seed++) {
          const random = new Random(seed * 7919 + from.length);
          const raw = randomObject(catalog, type.name, random);
          fix?.(raw, random);
          const object = type.decode({ ...raw, kind: family.kind, apiVersion: from });
          const text = JSON.stringify(object);
          for (const to of family.versions) {
            if (to === from) continue;
            const other = convert(object, { family, from, to });
            expect(JSON.stringify(object), 'the input').to.equal(text);
            expect(other).to.include({ kind: family.kind, apiVersion: to });
            const again = convert(other, { family, from: to, to: from });
            const expected = structuredClone(object);
            for (const { path } of losses.filter(
              (loss) =>
                loss.when === undefined &&
                loss.kind === family.kind &&
                loss.from.includes(from) &&
                loss.to.includes(to),
            )) {
              for (const side of [expected, again]) remove(side, splitPath(path));
            }
            expect(type.canonicalize(again), `${from} to ${to}, seed ${seed}`).to.deep.equal(
              type.canonicalize(expected),
            );
          }
        }
      }
    });
  }
});

describe('the list of what conversions lose', () => {
  it('names kinds, versions and fields that there are', () => {
    for (const { kind, from, to, path } of losses) {
      for (const version of [...from, ...to]) typeOf(version, kind);
      const [top = ''] = splitPath(path);
      for (const version of from) {
        const names = typeOf(version, kind).fields.map(({ name }) => name);
        expect(names, `${version} ${kind}`).to.include(top);
      }
    }
  });
});

describe('the families of kinds', () => {
  it('hold every resource of every version', () => {
    const { groups, resources } = loadResources(orchDialect);
    for (const { name, versions } of groups) {
      for (const version of versions) {
        const groupVersion = formatGroupVersion(name, version);
        for (const { kind } of Object.values(resources[groupVersion] ?? {})) {
          const family = familyOf({ group: name, version, kind });
          expect(family?.versions, `${groupVersion} ${kind}`).to.include(groupVersion);
          expect(family?.versions).to.include(family?.preferredFrom(groupVersion));
        }
      }
    }
  });

  const cases: [from: string, kind: string, preferred: string][] = [
    ['extensions/v1beta1', 'Ingress', 'networking.orch.io/v1'],
    ['networking.orch.io/v1beta1', 'IngressClass', 'networking.orch.io/v1'],
    ['extensions/v1beta1', 'NetworkPolicy', 'networking.orch.io/v1'],
    ['extensions/v1beta1', 'PodSecurityPolicy', 'policy/v1beta1'],
    ['extensions/v1beta1', 'DaemonSet', 'apps/v1'],
    ['extensions/v1beta1', 'Deployment', 'apps/v1'],
    ['extensions/v1beta1', 'ReplicaSet', 'apps/v1'],
    ['apps/v1beta1', 'Deployment', 'apps/v1'],
    ['apps/v1beta1', 'StatefulSet', 'apps/v1'],
    ['apps/v1beta1', 'ControllerRevision', 'apps/v1'],
    ['apps/v1beta2', 'DaemonSet', 'apps/v1'],
    ['extensions/v1beta1', 'Scale', 'autoscaling/v1'],
    ['events.orch.io/v1beta1', 'Event', 'events.orch.io/v1'],
    ['v1', 'Event', 'v1'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'autoscaling/v1'],
    ['batch/v2alpha1', 'CronJob', 'batch/v1beta1'],
    ['batch/v1beta1', 'CronJob', 'batch/v1beta1'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'policy/v1beta1'],
    ['rbac.authorization.orch.io/v1alpha1', 'Role', 'rbac.authorization.orch.io/v1'],
    ['scheduling.orch.io/v1beta1', 'PriorityClass', 'scheduling.orch.io/v1'],
    ['authentication.orch.io/v1beta1', 'TokenReview', 'authentication.orch.io/v1'],
    ['certificates.orch.io/v1beta1', 'CertificateSigningRequest', 'certificates.orch.io/v1'],
  ];
  for (const [from, kind, preferred] of cases) {
    it(`move ${kind} of ${from} to ${preferred}`, () => {
      expect(familyOf({ ...parseVersion(from), kind })?.preferredFrom(from)).to.equal(preferred);
    });
  }

  it('have no kind that is not built in', () => {
    expect(familyOf({ group: 'example.com', version: 'v1', kind: 'Widget' })).to.equal(undefined);
    expect(familyOf({ group: 'apps', version: 'v1', kind: 'Ingress' })).to.equal(undefined);
  });
});
