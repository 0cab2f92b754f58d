import { expect } from 'chai';
import fc from 'fast-check';
import { flagOptions, formatProblem, printConfig } from '../../../../src/nodeagent/options/index.ts';
import { load, openFile, start } from './start.ts';

const texts = (...argv: string[]) => start(argv).problems.map(({ text }) => text);

describe('readAgentRequest', () => {
  it('merges defaults, file and flags, and says where values came from', () => {
    const { config, origins } = load(
      ['--config=agent.yaml', '--max-pods=7', '--feature-gates=AppArmor=false'],
      `${openFile}maxPods: 5\npodsPerCore: 2\nfeatureGates: {CPUManager: false, AppArmor: true}\n`,
    );
    expect([config.maxPods, config.podsPerCore, config.featureGates]).to.deep.equal([
      7,
      2,
      { CPUManager: false, AppArmor: false },
    ]);
    expect(['maxPods', 'podsPerCore', 'featureGates', 'port'].map((key) => origins.get(key))).to.deep.equal([
      'flag',
      'file',
      'file and flag',
      'default',
    ]);
  });

  it('completes what depends on other options', () => {
    const { config } = load([
      '--node-status-update-frequency=3s',
      '--container-runtime-endpoint=unix:///r.sock',
      '--runonce',
    ]);
    expect([
      config.cpuManagerReconcilePeriodMs,
      config.imageServiceEndpoint,
      config.enableServer,
      config.nodeStatusReportFrequencyMs,
    ]).to.deep.equal([3000, 'unix:///r.sock', false, 300_000]);
    const inFile = load(['--config=agent.yaml'], `${openFile}nodeStatusUpdateFrequency: 3s\n`).config;
    expect([inFile.nodeStatusReportFrequencyMs, inFile.cpuManagerReconcilePeriodMs]).to.deep.equal([
      3000, 3000,
    ]);
    const kept = load([
      '--node-status-update-frequency=3s',
      '--cpu-manager-reconcile-period=9s',
      '--image-service-endpoint=unix:///i.sock',
    ]).config;
    expect([kept.cpuManagerReconcilePeriodMs, kept.imageServiceEndpoint]).to.deep.equal([
      9000,
      'unix:///i.sock',
    ]);
  });

  it('freezes everything, and adds what follows from the values', () => {
    const { config } = load([
      '--reserved-cpus=2,0-1',
      '--system-reserved=cpu=250m,memory=1Gi',
      '--eviction-hard=memory.available<10%,nodefs.available<1Gi',
      '--eviction-minimum-reclaim=nodefs.available=5%',
    ]);
    expect(() => Object.assign(config.evictionHard, { x: '1' })).to.throw(TypeError);
    expect(() => Object.assign(config, { maxPods: 1 })).to.throw(TypeError);
    expect([config.reservedCpuIds, config.isStandalone, config.containerLogMaxSizeBytes]).to.deep.equal([
      [0, 1, 2],
      true,
      10_485_760,
    ]);
    expect(config.systemReservedResources).to.deep.equal({
      cpuMillis: 250,
      memoryBytes: 2 ** 30,
      ephemeralStorageBytes: 0,
      pids: 0,
    });
    expect(config.evictionThresholds).to.deep.equal([
      { signal: 'memory.available', below: { percent: 10 }, gracePeriodMs: 0 },
      {
        signal: 'nodefs.available',
        below: { amount: 2 ** 30 },
        gracePeriodMs: 0,
        minimumReclaim: { percent: 5 },
      },
    ]);
  });

  it('reports every problem of the values at once, each with its flag', () => {
    const { problems } = start([
      '--port=0',
      '--runonce',
      '--enable-server',
      '--hairpin-mode=x',
      '--enforce-node-allocatable=none,orch-reserved',
      '--qos-reserved=memory=1%',
    ]);
    expect(problems.map(formatProblem)).to.have.members([
      'invalid configuration: port (--port) 0 must be between 1 and 65535, inclusive',
      'invalid configuration: runOnce (--runonce) is exclusive with enableServer (--enable-server) (give --enable-server=false, or leave one of them out)',
      'invalid configuration: option "x" specified for hairpinMode (--hairpin-mode). Valid options are "none", "hairpin-veth" or "promiscuous-bridge" (one of promiscuous-bridge, hairpin-veth, none)',
      "invalid configuration: orchReservedCgroup (--orch-reserved-cgroup) must be specified when 'orch-reserved' contained in enforceNodeAllocatable (--enforce-node-allocatable)",
      "invalid configuration: enforceNodeAllocatable (--enforce-node-allocatable) may not contain additional enforcements when 'none' is specified",
      'invalid configuration: qosReserved (--qos-reserved) requires feature gate QOSReserved (--feature-gates=QOSReserved=true)',
    ]);
  });

  it('reports every problem of the command line at once', () => {
    const { problems } = start(['--max-pods=x', '--nope', '--address=y', '-q', 'stray']);
    expect(problems.map(formatProblem)).to.have.members([
      'unknown flag: --nope',
      "unknown shorthand flag: 'q' in -q",
      'invalid argument "y" for "--address" flag: "y" is not a valid IP address',
      'invalid argument "x" for "--max-pods" flag: strconv.ParseInt: parsing "x": invalid syntax',
      'unknown command: stray',
    ]);
    expect(problems.every(({ isUsage }) => isUsage)).to.equal(true);
  });

  const refused: readonly [what: string, argv: readonly string[], text: string][] = [
    [
      'soft thresholds without a grace period',
      ['--eviction-soft=memory.available<1Gi'],
      'failed to run NodeAgent: failed to create nodeagent: grace period must be specified for the soft eviction threshold memory.available',
    ],
    [
      'thresholds above the whole',
      ['--eviction-hard=memory.available<101%'],
      'failed to run NodeAgent: eviction percentage threshold memory.available must be <= 100%: 101%',
    ],
    [
      'amounts that are not positive, in their shortest form',
      ['--eviction-hard=memory.available<-1024Ki'],
      'failed to run NodeAgent: eviction threshold memory.available must be positive: -1Mi',
    ],
    [
      'shares to reclaim that are no numbers',
      ['--eviction-minimum-reclaim=memory.available=x%%'],
      'failed to run NodeAgent: failed to create nodeagent: strconv.ParseFloat: parsing "x": invalid syntax',
    ],
    [
      'a topology without its gate',
      ['--topology-manager-policy=restricted', '--feature-gates=TopologyManager=false'],
      'invalid configuration: topologyManagerPolicy restricted requires feature gate TopologyManager',
    ],
    [
      'webhooks without an API server',
      ['--authorization-mode=Webhook'],
      'failed to run NodeAgent: no client provided, cannot use webhook authorization',
    ],
    [
      'two addresses of one family',
      ['--node-ip=192.0.2.1,192.0.2.2', '--feature-gates=IPv6DualStack=true'],
      'failed to run NodeAgent: bad --node-ip "192.0.2.1,192.0.2.2"; must contain either a single IP or a dual-stack pair of IPs',
    ],
    [
      'taints without an effect',
      ['--register-with-taints=a', '--orchconfig=/config'],
      'failed to run NodeAgent: invalid taint spec: a: it has no effect',
    ],
    [
      'endless ranges of processors',
      ['--reserved-cpus=0-4000000000'],
      'unable to parse reservedSystemCPUs (--reserved-cpus), error: 4000000000 is above the largest processor, 65535',
    ],
    [
      'a static policy with nothing reserved',
      ['--cpu-manager-policy=static', '--system-reserved=cpu=0'],
      'failed to run NodeAgent: [cpumanager] the static policy requires systemreserved.cpu + orchreserved.cpu to be greater than zero',
    ],
    [
      'quota periods above a second',
      ['--cpu-cfs-quota-period=2s', '--feature-gates=CustomCPUCFSQuotaPeriod=true'],
      'invalid configuration: cpuCFSQuotaPeriod (--cpu-cfs-quota-period) 2s must be between 1usec and 1sec, inclusive',
    ],
    [
      'an unknown dialect',
      ['--dialect=x'],
      `invalid argument "x" for "--dialect" flag: must be orch or 'kubernetes'`,
    ],
  ];
  for (const [what, argv, text] of refused) {
    it(`refuses ${what}`, () => expect(texts(...argv)).to.deep.equal([text]));
  }

  it('merges maps over repeats, replaces defaults, and lets the last of other values win', () => {
    const { config } = load([
      '--eviction-hard=memory.available<1Gi',
      '--eviction-hard=pid.available<5',
      '--cluster-dns=192.0.2.1',
      '--cluster-dns=192.0.2.2',
      '--max-pods=1',
      '--max_pods',
      '2',
      '-v=3',
      '-v4',
    ]);
    expect([config.evictionHard, config.clusterDns, config.maxPods, config.verbosity]).to.deep.equal([
      { 'memory.available': '1Gi', 'pid.available': '5' },
      ['192.0.2.1', '192.0.2.2'],
      2,
      4,
    ]);
  });

  it('takes old names, and prefers new ones', () => {
    expect(load(['--experimental-bootstrap-orchconfig=/old']).config.bootstrapOrchconfigPath).to.equal(
      '/old',
    );
    expect(
      load(['--bootstrap-orchconfig=/new', '--experimental-bootstrap-orchconfig=/old']).config
        .bootstrapOrchconfigPath,
    ).to.equal('/new');
    expect(load(['--experimental-kernel-memcg-notification']).config.kernelMemcgNotification).to.equal(true);
  });

  it('tells where deprecated flags have moved, and which options are experimental', () => {
    const { notices, hints } = load(['--max-pods=1', '--network-plugin=cni', '--register-schedulable']);
    expect(notices.map((text) => text.split(',')[0])).to.deep.equal([
      'Flag --max-pods has been deprecated',
      'Flag --register-schedulable has been deprecated',
    ]);
    expect(hints).to.deep.equal([
      'In the file of --config these are: maxPods for --max-pods',
      '--network-plugin is an alpha option: it may change or go away',
    ]);
  });

  it('tells which options that are set have no effect', () => {
    const flags = ['--cloudx-container-registry-config=/x', '--storage-driver-db=x', '--cloud-config='];
    expect(load(flags).hints).to.deep.equal([
      '--cloudx-container-registry-config has no effect: no cloud registry is built in; --image-credential-provider-config serves all',
      '--storage-driver-db has no effect: the metrics agent is built in, and needs none of this',
    ]);
    const file = `${openFile}enableContentionProfiling: true\n`;
    expect(load(['--config=agent.yaml'], file).hints).to.deep.equal([
      'enableContentionProfiling has no effect: the program has no locks to profile',
    ]);
  });

  describe('of values that only an API server would be told', () => {
    const cases: readonly (readonly [flag: string, words: string])[] = [
      ['--node-ip=somewhere', '"somewhere" is not a valid IP address'],
      ['--pod-cidr=10.0.0.0', 'podCIDR (--pod-cidr) "10.0.0.0" is not a range of addresses'],
      ['--non-masquerade-cidr=10', '--non-masquerade-cidr "10" is not a range of addresses'],
      ['--node-labels=a//b=c', 'invalid label "a//b=c"'],
      ['--register-with-taints=a', 'invalid taint spec: a: it has no effect'],
      ['--hostname-override=node_1', 'invalid node name "node_1"'],
    ];
    for (const [flag, words] of cases) {
      it(`warns of ${flag} without one, and refuses it with one`, () => {
        const { warnings, config } = load([flag]);
        expect(warnings).to.have.length.above(0);
        for (const text of warnings)
          expect(text)
            .to.include(words)
            .and.match(/; ignored without an API server$/);
        expect(config.nodeIps).to.deep.equal([]);
        for (const name of ['--orchconfig=/config', '--bootstrap-orchconfig=/config'])
          expect(texts(flag, name).join('\n')).to.include(words);
      });
    }

    it("refuses ranges that the agent's own network would be made from", () => {
      expect(texts('--pod-cidr=10', '--network-plugin=orchnet')).to.have.length(1);
      expect(texts('--non-masquerade-cidr=10', '--network-plugin=orchnet')).to.have.length(1);
    });
  });

  it('warns of values that it goes on without', () => {
    const { warnings } = load([
      '--cluster-dns=x',
      '--cgroup-driver=y',
      '--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
      '--logging-format=json',
      '--log-dir=/l',
      '--container-runtime=remote',
      '--container-runtime-endpoint=/r.sock',
    ]);
    expect(warnings).to.deep.equal([
      'cgroupDriver (--cgroup-driver) "y" is none of cgroupfs, systemd; cgroupfs is used',
      "Invalid clusterDNS ip 'x' (--cluster-dns): it is left out",
      "Use of insecure cipher 'TLS_RSA_WITH_RC4_128_SHA' detected.",
      'Using "/r.sock" as endpoint is deprecated, please consider using full url format "unix:///r.sock".',
      '--logging-format=json is alpha and ignores --log-dir',
    ]);
  });

  it('throws nothing but its own error, whatever the line', () => {
    const flag = fc.constantFrom(...flagOptions.map(({ flag: name }) => name));
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('1', '-1', 'a=b', 'a<1%', 'true', '1h', '10.0.0.0/8', '__proto__=1', '"', '1Gi'),
    );
    const argument = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.tuple(flag, text).map(([name, value]) => `--${name}=${value}`),
      flag.map((name) => `--${name}`),
    );
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 5 }), (argv) => {
        const { request, problems } = start(argv);
        expect(request === undefined).to.equal(problems.length > 0);
      }),
      { numRuns: 300 },
    );
  });

  it('throws nothing but its own error, whatever the file', () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string());
    const fields = fc.dictionary(
      fc.constantFrom(
        'maxPods',
        'evictionHard',
        'authentication',
        'clusterDNS',
        'staticPodURLHeader',
        'syncFrequency',
        'x',
      ),
      value,
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fields.map((map) => openFile + JSON.stringify(map).slice(1, -1)),
          fields.map((map) =>
            JSON.stringify({
              kind: 'NodeAgentConfiguration',
              apiVersion: 'nodeagent.config.orch.io/v1beta1',
              ...map,
            }),
          ),
          fc.string(),
        ),
        (file) => {
          start(['--config=agent.yaml'], file);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('printConfig', () => {
  it('is a file that gives the same configuration', () => {
    const flags = [
      '--max-pods=9',
      '--read-only-port=0',
      '--eviction-hard=',
      '--enforce-node-allocatable=',
      '--cluster-dns=10.0.0.10',
      '--manifest-url=http://h/',
      '--manifest-url-header=a:b',
      '--feature-gates=CPUManager=false',
    ];
    const first = load([...flags, '--print-config']);
    expect(first.kind).to.equal('print-config');
    const text = printConfig(first);
    const second = load(['--config=agent.yaml', '--strict-config'], text);
    expect({ ...second.config, configPath: '' }).to.deep.equal(first.config);
    expect(text).to.include('\nmaxPods: 9 # from --max-pods\n').and.include('\nport: 10250 # default\n');
    expect(text).to.include('\n# --root-dir="/var/lib/nodeagent" # default\n');
  });
});
