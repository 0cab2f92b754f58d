import { expect } from 'chai';
import { createDialect, orchDialect, translateData } from '../../../../src/machinery/dialect.ts';
import data from '../../../../src/machinery/dialect-kubernetes.json' with { type: 'json' };

const kubernetes = createDialect('kubernetes');

describe('createDialect', () => {
  it('leaves every name alone in the orch dialect', () => {
    expect(createDialect('orch')).to.equal(orchDialect);
    expect(orchDialect.group('networking')).to.equal('networking.orch.io');
    expect(orchDialect.label('hostname')).to.equal('orch.io/hostname');
    expect(orchDialect.domain('node', 'not-ready')).to.equal('node.orch.io/not-ready');
    expect(orchDialect.spell('ctl in orch-system')).to.equal('ctl in orch-system');
  });

  const samples: readonly (readonly [string, string])[] = [
    ['networking.orch.io', 'networking.k8s.io'],
    ['networking.orch.io/v1.Ingress', 'networking.k8s.io/v1.Ingress'],
    ['ingresses.networking.orch.io "x" not found', 'ingresses.networking.k8s.io "x" not found'],
    ['/apis/networking.orch.io/v1/ingresses', '/apis/networking.k8s.io/v1/ingresses'],
    ['node.orch.io/v1', 'node.k8s.io/v1'],
    ['node.orch.io/not-ready', 'node.kubernetes.io/not-ready'],
    ['rbac.authorization.orch.io/aggregate-to-edit', 'rbac.authorization.k8s.io/aggregate-to-edit'],
    [
      'validation.policy.admission.orch.io/validation_failure',
      'validation.policy.admission.k8s.io/validation_failure',
    ],
    [
      'gold.storageclass.storage.orch.io/requests.storage',
      'gold.storageclass.storage.k8s.io/requests.storage',
    ],
    ['orch.io/orch-apiserver-client', 'kubernetes.io/kube-apiserver-client'],
    ['orchnet: no range; Orchnet cannot', 'kubenet: no range; Kubenet cannot'],
    ['x-orch-list-type', 'x-kubernetes-list-type'],
    ['channel.orch.io', 'channel.k8s.io'],
    ['v4.base64.channel.orch.io', 'v4.base64.channel.k8s.io'],
    ['nodeAgentVersion', 'kubeletVersion'],
    ['https://orch.default.svc', 'https://kubernetes.default.svc'],
    ['CSIMigrationProvider1', 'CSIMigrationAWS'],
    ['map<string,apiextensions.orch.io/v1.JSON>', 'map<string,apiextensions.k8s.io/v1.JSON>'],
    [
      'in scheme "orch.io/orch/pkg/api/legacyscheme/scheme.go:30"',
      'in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'orch.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:52',
      'k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:52',
    ],
    [
      'orch.io/orch-aggregator/pkg/apiserver/scheme/scheme.go:32',
      'k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:32',
    ],
  ];
  for (const [orch, other] of samples) {
    it(`spells ${orch} as ${other}`, () => expect(kubernetes.spell(orch)).to.equal(other));
  }

  for (const text of ['orchestration', 'controller', 'systemctl', 'torch', 'my-orchard', 'Pod', '']) {
    it(`leaves the unrelated text ${JSON.stringify(text)} alone`, () => {
      expect(kubernetes.spell(text)).to.equal(text);
    });
  }

  it('spells and unspells every name of the data, but for names with two readings', () => {
    const { rules: _, ...tables } = data;
    const wrong = Object.values(tables)
      .flatMap((table) => Object.entries(table as Record<string, string>))
      .filter(([orch, other]) => kubernetes.spell(orch) !== other || kubernetes.unspell(other) !== orch);
    // The group and the label domain share this name.
    expect(wrong).to.deep.equal([['node.orch.io', 'node.kubernetes.io']]);
  });

  it('gives the names that are asked for by name', () => {
    expect(kubernetes).to.include({
      protobufMediaType: 'application/vnd.kubernetes.protobuf',
      lastAppliedAnnotation: 'kubectl.kubernetes.io/last-applied-configuration',
      systemNamespace: 'kube-system',
      publicNamespace: 'kube-public',
      nodeLeaseNamespace: 'kube-node-lease',
      apiServiceName: 'kubernetes',
      rootCaConfigMap: 'kube-root-ca.crt',
      extensionPrefix: 'x-kubernetes-',
    });
  });
});

describe('translateData', () => {
  const given = { 'x-orch-a': ['orch-system', 1, null, { nodeAgentPort: true }] };

  it('is the value itself in the orch dialect', () =>
    expect(translateData(orchDialect, given)).to.equal(given));

  it('translates keys and texts at every depth and changes nothing of the input', () => {
    const before = JSON.stringify(given);
    expect(translateData(kubernetes, given)).to.deep.equal({
      'x-kubernetes-a': ['kube-system', 1, null, { kubeletPort: true }],
    });
    expect(JSON.stringify(given)).to.equal(before);
  });
});
