import { expect } from 'chai';
import {
  createResourceTable,
  lifecycleOf,
  loadResources,
  loadVersionHistory,
  type ServedResource,
} from '../../../../src/apis/resources/index.ts';
import { isReleaseFrom } from '../../../../src/apis/resources/version-history.ts';
import { createDialect, orchDialect as dialect } from '../../../../src/machinery/dialect.ts';

const gates = new Set(['WarningHeaders']);
const everything = { 'api/all': 'true' };
const table = createResourceTable({ dialect, gates, runtimeConfig: everything });
const nameOf = ({ group, version, kind }: ServedResource) =>
  `${group === '' ? '' : `${group}/`}${version} ${kind}`;

/** What release 1.20 warns of. Versions that a later release deprecates are not here. */
const ofThisRelease: readonly [version: string, kinds: readonly string[], since: string][] = [
  [
    'admissionregistration.orch.io/v1beta1',
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    '1.16',
  ],
  ['apiextensions.orch.io/v1beta1', ['CustomResourceDefinition'], '1.16'],
  ['apiregistration.orch.io/v1beta1', ['APIService'], '1.19'],
  ['authentication.orch.io/v1beta1', ['TokenReview'], '1.19'],
  [
    'authorization.orch.io/v1beta1',
    ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
    '1.19',
  ],
  ['certificates.orch.io/v1beta1', ['CertificateSigningRequest'], '1.19'],
  ['coordination.orch.io/v1beta1', ['Lease'], '1.19'],
  ['networking.orch.io/v1beta1', ['Ingress', 'IngressClass'], '1.19'],
  [
    'rbac.authorization.orch.io/v1beta1',
    ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
    '1.17',
  ],
  ['scheduling.orch.io/v1beta1', ['PriorityClass'], '1.14'],
  ['storage.orch.io/v1beta1', ['CSIDriver', 'StorageClass', 'VolumeAttachment'], '1.19'],
  ['storage.orch.io/v1beta1', ['CSINode'], '1.17'],
];

function expectedWarnings(): Map<string, string> {
  const texts = new Map([
    ['v1 ComponentStatus', 'v1 ComponentStatus is deprecated in v1.19+'],
    [
      'extensions/v1beta1 Ingress',
      'extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.orch.io/v1 Ingress',
    ],
  ]);
  for (const [version, kinds, since] of ofThisRelease) {
    for (const kind of kinds) {
      // The reference names a list here.
      const target = `${version.replace('beta1', '')} ${kind === 'IngressClass' ? 'IngressClassList' : kind}`;
      const text = `${version} ${kind} is deprecated in v${since}+, unavailable in v1.22+; use ${target}`;
      texts.set(`${version} ${kind}`, text);
    }
  }
  return texts;
}

describe('deprecations of resources', () => {
  it('are those of release 1.20, in its words', () => {
    const found = table.resources.flatMap((resource) =>
      resource.deprecation === undefined
        ? []
        : ([[nameOf(resource), resource.deprecation.warning]] as [string, string][]),
    );
    expect(new Map(found)).to.deep.equal(expectedWarnings());
  });

  it('name the release that ends them, if there is one', () => {
    const released = new Map<string, string | undefined>();
    for (const resource of table.resources) {
      if (resource.deprecation !== undefined) {
        released.set(nameOf(resource), resource.deprecation.removedRelease);
      }
    }
    expect(released.get('v1 ComponentStatus')).to.equal('');
    released.delete('v1 ComponentStatus');
    expect(new Set(released.values())).to.deep.equal(new Set(['1.22']));
  });

  it('follow the kind of a subresource', () => {
    const subresource = (group: string, version: string, resource: string, name: string) =>
      table.find(group, version, resource)?.subresources.find((found) => found.name === name)?.deprecation;
    const ingress = table.find('extensions', 'v1beta1', 'ingresses');
    expect(subresource('extensions', 'v1beta1', 'ingresses', 'status')).to.deep.equal(ingress?.deprecation);
    const approval = subresource('certificates.orch.io', 'v1beta1', 'certificatesigningrequests', 'approval');
    expect(approval?.warning).to.match(/^certificates\.orch\.io\/v1beta1 CertificateSigningRequest is/);
    expect(subresource('apps', 'v1', 'deployments', 'scale')).to.equal(undefined);
    expect(subresource('', 'v1', 'pods', 'eviction')).to.equal(undefined);
  });

  it('are spelled as the dialect spells groups', () => {
    const other = createDialect('kubernetes');
    const resource = createResourceTable({ dialect: other }).find(
      other.group('networking'),
      'v1beta1',
      'ingressclasses',
    );
    expect(resource?.deprecation?.warning).to.equal(
      other.spell(
        'networking.orch.io/v1beta1 IngressClass is deprecated in v1.19+, unavailable in v1.22+; use networking.orch.io/v1 IngressClassList',
      ),
    );
  });
});

describe('loadVersionHistory', () => {
  const history = loadVersionHistory(dialect);
  const { groups, resources } = loadResources(dialect);

  it('knows every version that can be served, and no other', () => {
    expect(Object.keys(history.versions).sort()).to.deep.equal(Object.keys(resources).sort());
    expect(groups.flatMap(({ versions }) => versions)).to.have.length(Object.keys(resources).length);
  });

  it('names kinds that the version has', () => {
    for (const [version, { kinds = {} }] of Object.entries(history.versions)) {
      const known = Object.values(resources[version] ?? {}).map(({ kind }) => kind);
      expect(known, version).to.include.members(Object.keys(kinds));
    }
  });

  it('has releases in the order of a life', () => {
    for (const [version, ofVersion] of Object.entries(resources)) {
      for (const { kind } of Object.values(ofVersion)) {
        const { since, deprecated, removed } = lifecycleOf(history, version, kind) ?? { since: '' };
        for (const release of [since, deprecated, removed]) {
          if (release !== undefined) expect(release, `${version} ${kind}`).to.match(/^1\.\d+$/);
        }
        expect(isReleaseFrom(history.release, since), `${version} ${kind}`).to.equal(true);
        if (deprecated !== undefined) expect(isReleaseFrom(deprecated, since)).to.equal(true);
        // What is gone is not served; what goes was deprecated before.
        if (removed === undefined) continue;
        expect(isReleaseFrom(history.release, removed), `${version} ${kind}`).to.equal(false);
        expect(deprecated, `${version} ${kind}`).to.be.a('string');
      }
    }
  });

  it('replaces by what is served at least as long as the old is deprecated, where that is of this release', () => {
    for (const { group, version, deprecation } of table.resources) {
      const replacement = history.versions[group === '' ? version : `${group}/${version}`]?.replacement;
      if (deprecation === undefined || replacement === undefined) continue;
      expect(resources, replacement).to.have.property(replacement);
    }
  });

  it('does not serve what is gone', () => {
    for (const { version, kinds } of history.gone) {
      const served = Object.values(resources[version] ?? {}).map(({ kind }) => kind);
      expect(served, version).not.to.include.members([...kinds]);
      for (const kind of kinds) expect(served, version).not.to.include(kind);
    }
  });

  it('knows nothing of versions that do not exist', () => {
    expect(lifecycleOf(history, 'constructor', 'Pod')).to.equal(undefined);
    expect(lifecycleOf(history, 'v1', 'constructor')).to.deep.equal({ since: '1.0' });
  });
});

describe('isReleaseFrom', () => {
  for (const [release, other, expected] of [
    ['1.20', '1.19', true],
    ['1.20', '1.20', true],
    ['1.20', '1.21', false],
    ['1.9', '1.10', false],
    ['2.0', '1.30', true],
    ['1.30', '2.0', false],
  ] as const) {
    it(`says ${expected} of ${release} and ${other}`, () => {
      expect(isReleaseFrom(release, other)).to.equal(expected);
    });
  }
});
