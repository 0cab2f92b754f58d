import { expect } from 'chai';
import { OptionsError, renderHelp, renderManual } from '../../../../src/config/index.ts';
import {
  effectiveFeatureGates,
  type FeatureGateName,
  featureGates,
  layerServeConfig,
  serveProgram,
} from '../../../../src/config/serve/index.ts';

/** Features of release 1.20 that are still open: stage, default, names. */
const openGates: readonly (readonly [stage: string, isOn: boolean, names: string])[] = [
  [
    'BETA',
    true,
    `APIListChunking APIPriorityAndFairness APIResponseCompression AllowInsecureBackendProxy AppArmor
     CPUManager CRIContainerLogRotation CSIInlineVolume CSIMigration CSIVolumeFSGroupPolicy
     ConfigurableFSGroupPolicy DefaultPodTopologySpread DevicePlugins DisableAcceleratorUsageMetrics
     DynamicNodeAgentConfig EndpointSlice EndpointSliceProxying ExpandCSIVolumes
     ExpandInUsePersistentVolumes ExpandPersistentVolumes HugePageStorageMediumSize
     ImmutableEphemeralVolumes NodeAgentPodResources LegacyNodeRoleBehavior LocalStorageCapacityIsolation
     NodeDisruptionExclusion NonPreemptingPriority PodDisruptionBudget PodOverhead RemainingItemCount
     RemoveSelfLink RootCAConfigMap RotateNodeAgentServerCertificate RunAsGroup ServerSideApply
     ServiceAccountIssuerDiscovery ServiceNodeExclusion SetHostnameAsFQDN StorageVersionHash Sysctls
     TopologyManager ValidateProxyRedirects WarningHeaders WinOverlay`,
  ],
  [
    'BETA',
    false,
    `AllBeta CSIMigrationProvider1 CSIMigrationProvider2 CSIMigrationProvider4 CSIMigrationProvider5
     CSIMigrationProvider6 CSIMigrationProvider6Complete ExperimentalHostUserNamespaceDefaulting`,
  ],
  [
    'ALPHA',
    false,
    `AllAlpha APIServerIdentity AnyVolumeDataSource BalanceAttachedNodeVolumes
     BoundServiceAccountTokenVolume CSIMigrationProvider1Complete CSIMigrationProvider2Complete
     CSIMigrationProvider3 CSIMigrationProvider3Complete CSIMigrationProvider4Complete
     CSIMigrationProvider5Complete CSIServiceAccountToken CSIStorageCapacity CronJobControllerV2
     CustomCPUCFSQuotaPeriod DownwardAPIHugePages EfficientWatchResumption EndpointSliceNodeName
     EndpointSliceTerminatingCondition EphemeralContainers GenericEphemeralVolume GracefulNodeShutdown
     HPAContainerMetrics HPAScaleToZero IPv6DualStack NodeAgentCredentialProviders
     LocalStorageCapacityIsolationFSQuotaMonitoring MixedProtocolLBService ProcMountType QOSReserved
     ServiceLBNodePortControl ServiceTopology SizeMemoryBackedVolumes StorageVersionAPI TTLAfterFinished
     WinDSR WindowsEndpointSliceProxying`,
  ],
];
const open = openGates.flatMap(([stage, isOn, names]) =>
  names.split(/\s+/).map((name) => ({ stage, isOn, name })),
);

/** Features that cannot be turned off any more. */
const locked = `AttachVolumeLimit BlockVolume CSIBlockVolume CSIDriverRegistry CSINodeInfo EvenPodsSpread
  ExternalPolicyForExternalIP NodeLease RotateNodeAgentClientCertificate RuntimeClass SCTPSupport SelectorIndex
  ServiceAppProtocol StartupProbe SupportNodePidsLimit SupportPodPidsLimit TaintBasedEvictions TokenRequest
  TokenRequestProjection VolumePVCDataSource VolumeSnapshotDataSource WatchBookmark WindowsGMSA WindowsRunAsUserName`.split(
  /\s+/,
);

/** Features that are decided, though whoever wants to may still turn them off. */
const decided = [
  'AdvancedAuditing',
  'DryRun',
  'ExecProbeTimeout',
  'StorageObjectInUseProtection',
  'VolumeSubpath',
];

const layer = (...gates: string[]) => layerServeConfig({ argv: [`--feature-gates=${gates.join(',')}`] });

function problemsOf(gate: string): readonly string[] {
  try {
    layer(gate);
    return [];
  } catch (error) {
    if (error instanceof OptionsError) return error.problems;
    throw error;
  }
}

describe('--feature-gates', () => {
  it('shows the open features in its help, with stage and default, sorted by name', () => {
    const shown = renderHelp(serveProgram)
      .split('\n')
      .filter((line) => line.includes('=true|false ('))
      .map((line) => line.trim());
    const wanted = open.map(({ name, stage, isOn }) => `${name}=true|false (${stage} - default=${isOn})`);
    expect(shown).to.deep.equal(wanted.sort());
    expect(shown).to.have.length(89);
  });

  it('shows them in the manual page, too', () => {
    const [page] = renderManual(serveProgram, '1');
    expect(page?.text).to.include('\n.br\nServerSideApply=true|false (BETA \\- default=true)\n.br\n');
  });

  it('takes both values of every open feature, and warns of those that change nothing', () => {
    for (const value of [true, false]) {
      const { config, warnings } = layer(...open.map(({ name }) => `${name}=${value}`));
      expect(Object.keys(config.featureGates)).to.have.length(open.length);
      const idle = open.flatMap(({ name, isOn }) => {
        const noEffect = featureGates.get(name)?.noEffect;
        return noEffect === undefined || isOn === value
          ? []
          : [`feature gate ${name}=${value} has no effect in orch serve: ${noEffect}`];
      });
      expect(warnings).to.deep.equal(idle);
      expect(idle.length).to.be.greaterThan(5);
    }
  });

  it('refuses to turn off what is locked', () => {
    for (const name of locked) {
      expect(problemsOf(`${name}=true`)).to.deep.equal([]);
      expect(problemsOf(`${name}=false`)).to.deep.equal([
        `--feature-gates: cannot set feature gate ${name} to false, feature is locked to true`,
      ]);
    }
  });

  it('warns once about each decided feature that is set, whatever to', () => {
    const given = [...decided.map((name) => `${name}=false`), 'NodeLease=true', 'NodeLease=true'];
    const warnings = layer(...given).warnings.filter((text) => !text.includes('has no effect'));
    expect(warnings).to.deep.equal([
      ...decided.map(
        (name) => `Setting GA feature gate ${name}=false. It will be removed in a future release.`,
      ),
      'Setting GA feature gate NodeLease=true. It will be removed in a future release.',
    ]);
  });

  it('warns about deprecated features', () => {
    expect(layer('StreamingProxyRedirects=false', 'HyperVContainer=true').warnings).to.deep.equal([
      'Setting deprecated feature gate StreamingProxyRedirects=false. It will be removed in a future release.',
      'Setting deprecated feature gate HyperVContainer=true. It will be removed in a future release.',
      'feature gate HyperVContainer=true has no effect in orch serve: a gate of nodes with Windows',
    ]);
  });

  it('names features as their user writes them', () => {
    const dialect = {
      unspell: (text: string) => text.replace('Acme', 'NodeAgent'),
      spell: (text: string) => text.replace('NodeAgent', 'Acme'),
    };
    const argv = ['--feature-gates=RotateAcmeClientCertificate=true'];
    expect(layerServeConfig({ argv, ...dialect }).warnings).to.deep.equal([
      'Setting GA feature gate RotateAcmeClientCertificate=true. It will be removed in a future release.',
    ]);
    expect(() => layerServeConfig({ argv: ['--feature-gates=DynamicAcmeConf=true'], ...dialect })).to.throw(
      'unrecognized feature gate: DynamicAcmeConf; did you mean DynamicAcmeConfig?',
    );
  });

  const unknown: readonly (readonly [gate: string, problem: string])[] = [
    ['SeverSideApply=true', 'SeverSideApply; did you mean ServerSideApply?'],
    ['serversideapply=true', 'serversideapply; did you mean ServerSideApply?'],
    ['PodPriority=true', 'PodPriority'],
    ['Qqqqqqqqqqqqqqqqqqqqq=true', 'Qqqqqqqqqqqqqqqqqqqqq'],
    ['constructor=true', 'constructor'],
  ];
  for (const [gate, problem] of unknown) {
    it(`refuses ${gate}, which is no feature`, () => {
      expect(problemsOf(gate)).to.have.length(1);
      expect(
        problemsOf(gate)[0]?.startsWith(`--feature-gates: unrecognized feature gate: ${problem}`),
      ).to.equal(true);
    });
  }
});

describe('effectiveFeatureGates', () => {
  it('starts from the defaults of the release', () => {
    const gates: Readonly<Record<string, boolean>> = effectiveFeatureGates({});
    for (const { name, isOn } of open) expect(gates[name], name).to.equal(isOn);
    for (const name of [...locked, ...decided]) expect(gates[name], name).to.equal(true);
    expect(gates.HyperVContainer).to.equal(false);
    expect(gates.StreamingProxyRedirects).to.equal(true);
    expect(Object.keys(gates)).to.have.length(open.length + locked.length + decided.length + 2);
  });

  it('answers by name', () => {
    const name: FeatureGateName = 'ServerSideApply';
    expect(effectiveFeatureGates({ [name]: false }).ServerSideApply).to.equal(false);
  });

  it('lets a named gate win over the switch for its stage', () => {
    const gates = effectiveFeatureGates({
      AllAlpha: true,
      EphemeralContainers: false,
      AllBeta: false,
      ServerSideApply: true,
    });
    expect(gates.StorageVersionAPI).to.equal(true);
    expect(gates.EphemeralContainers).to.equal(false);
    expect(gates.WarningHeaders).to.equal(false);
    expect(gates.ServerSideApply).to.equal(true);
    expect(gates.DryRun).to.equal(true);
    expect(gates.StreamingProxyRedirects).to.equal(true);
  });
});
