import { expect } from 'chai';
import { configKey, OptionsError } from '../../../../src/config/index.ts';
import {
  effectiveAdmissionPlugins,
  etcdServers,
  isControllerEnabled,
  layerServeConfig,
  opensslCipherList,
  runtimeTlsVersion,
  serveOptions,
  storageRoot,
} from '../../../../src/config/serve/index.ts';
import reference from '../../../../src/config/serve/reference-flags.json' with { type: 'json' };

function problemsOf(...argv: string[]): readonly string[] {
  try {
    layerServeConfig({ argv });
    return [];
  } catch (error) {
    if (error instanceof OptionsError) return error.problems;
    throw error;
  }
}

describe('serveOptions', () => {
  const byName = new Map<string, { type: string; default?: unknown }>(
    serveOptions.map((option) => [option.name, option]),
  );
  const answeredBeforeParsing = new Set(['help', 'version']);

  it('has an entry for every flag of the reference that is marked as supported, and for no other', () => {
    const marked = reference.flags.filter(
      (flag) => flag.support === 'yes' && !answeredBeforeParsing.has(flag.name),
    );
    const others = reference.flags.filter((flag) => flag.support !== 'yes' && byName.has(flag.name));
    expect(marked.filter((flag) => !byName.has(flag.name))).to.deep.equal([]);
    expect(others).to.deep.equal([]);
    expect(reference.flags).to.have.length(174);
  });

  it("keeps the reference's defaults but for those that orch changes on purpose", () => {
    const changed = reference.flags
      .filter((flag) => flag.support === 'yes' && 'default' in flag)
      .filter((flag) => String(byName.get(flag.name)?.default ?? false) !== String(flag.default))
      .map((flag) => flag.name);
    expect(changed.sort()).to.deep.equal([
      'authorization-mode',
      'bind-address',
      'cert-dir',
      'storage-media-type',
    ]);
  });
});

describe('layerServeConfig', () => {
  it('is secure and local without any flag', () => {
    const { config } = layerServeConfig({ argv: [] });
    expect(config.bindAddress).to.equal('127.0.0.1');
    expect(config.securePort).to.equal(6443);
    expect(config.authorizationMode).to.deep.equal(['Node', 'RBAC']);
    expect(config.allowPrivileged).to.equal(false);
    expect(config.serviceClusterIpRange).to.deep.equal(['10.0.0.0/24']);
    expect(config.serviceNodePortRange).to.deep.equal({ first: 30000, last: 32767 });
    expect(config.requestTimeoutMs).to.equal(60_000);
  });

  it('holds the options of its own table and nothing else', () => {
    expect(Object.keys(layerServeConfig({ argv: [] }).config)).to.deep.equal(serveOptions.map(configKey));
  });

  it('takes the command line of an existing server', () => {
    const { config, warnings } = layerServeConfig({
      argv: [
        '--advertise-address=10.1.0.1',
        '--allow-privileged=true',
        '--authorization-mode=Node,RBAC',
        '--client-ca-file=/pki/ca.crt',
        '--enable-admission-plugins=NodeRestriction',
        '--insecure-port=0',
        '--service-account-issuer=https://orch.default.svc',
        '--service-account-key-file=/pki/sa.pub',
        '--service-account-key-file=/pki/old-sa.pub',
        '--service-cluster-ip-range=10.96.0.0/12',
        '--tls-cert-file=/pki/apiserver.crt',
        '--tls-private-key-file=/pki/apiserver.key',
        '--profiling=false',
      ],
    });
    expect(config.serviceAccountKeyFile).to.deep.equal(['/pki/sa.pub', '/pki/old-sa.pub']);
    expect(warnings).to.deep.equal([
      '--profiling has no effect in orch: there are no profiles at /debug/pprof in this runtime',
    ]);
  });

  const refused: readonly (readonly [argv: string[], problem: RegExp])[] = [
    [
      ['--tls-sni-cert-key=/x'],
      /^--tls-sni-cert-key=\/x: expected comma separated certificate and key file paths/,
    ],
    [['--tls-sni-cert-key=/x,/y:'], /^--tls-sni-cert-key=\/x,\/y:: empty names list is not allowed/],
    [['--audit-log-path=/x', '--audit-log-version=v2'], /^--audit-log-version: "v2" is no version of events/],
    [
      ['--audit-policy-file=/x'],
      /^--audit-policy-file: needs --audit-log-path or --audit-webhook-config-file/,
    ],
    [
      ['--audit-log-path=/x', '--feature-gates=AdvancedAuditing=false'],
      /^--audit-log-path: needs the feature gate AdvancedAuditing/,
    ],
    [['--insecure-port=8080'], /^--insecure-port: not supported yet/],
    [
      ['--etcd-servers-overrides=/events#http://127.0.0.1:2379'],
      /^--etcd-servers-overrides: not supported yet/,
    ],
    [['--etcd-servers=127.0.0.1:2379'], /"127.0.0.1:2379" must be http:\/\/HOST:PORT or https:/],
    [['--etcd-servers=http://u:p@h:1'], /must be http:\/\/HOST:PORT or https:/],
    [['--storage=etcd:http://a:1,ftp://b'], /"ftp:\/\/b" must be http:/],
    [['--storage=etcd:'], /"" must be http:/],
    [['--etcd-servers=http://h:1', '--storage=sqlite:/x'], /both say where objects are stored/],
    [['--etcd-servers=http://h:1', '--ephemeral'], /^--ephemeral and --etcd-servers contradict/],
    [['--storage=etcd:http://h:1', '--ephemeral'], /^--ephemeral and --storage=etcd: contradict/],
    [['--etcd-cafile=/ca'], /^--etcd-cafile: needs --etcd-servers/],
    [['--etcd-prefix=/other'], /^--etcd-prefix: needs --etcd-servers/],
    [['--history-megabytes=9'], /^--history-megabytes: needs a --history that is longer/],
    [['--history-megabytes=9', '--history=1m'], /^--history-megabytes: needs a --history that is longer/],
    [
      ['--history-megabytes=9', '--history=1h', '--etcd-servers=http://h:1'],
      /^--history-megabytes: has no effect on etcd/,
    ],
    [['--etcd-servers=https://h:1', '--etcd-prefix=/'], /^--etcd-prefix: needs a name/],
    [['--etcd-servers=https://h:1', '--etcd-certfile=a'], /must be given together/],
    [['--etcd-servers=http://h:1', '--etcd-cafile=a'], /^--etcd-cafile: needs etcd servers at https/],
    [['--etcd-servers=http://h:1,https://i:1'], /cannot be mixed/],
    [['--storage-backend=etcd2'], /etcd3/],
    [['--apiserver-count=0'], /^--apiserver-count should be a positive number, but value '0' provided$/],
    [['--endpoint-reconciler-type=some'], /lease, none/],
    [['--leader-elect-renew-deadline=15s'], /^--leader-elect-lease-duration must be greater than/],
    [['--leader-elect-retry-period=9s'], /^--leader-elect-renew-deadline must be greater than/],
    [['--max-events=-1'], /at least 0/],
    [
      ['--feature-gates=APIServerIdentity=true', '--identity-lease-duration-seconds=0'],
      /^--identity-lease-duration-seconds should be a positive number, but value '0' provided$/,
    ],
    [
      ['--feature-gates=AllAlpha=true', '--identity-lease-renew-interval-seconds=-1'],
      /^--identity-lease-renew-interval-seconds should be a positive number, but value '-1' provided$/,
    ],
    [['--tls-cert-file=a'], /must be given together/],
    [['--proxy-client-cert-file=a'], /must be given together/],
    [['--requestheader-username-headers=X-User, '], /empty value in "requestheader-username-headers"/],
    [['--requestheader-allowed-names= '], /empty value in "requestheader-allowed-names"/],
    [['--authentication-token-webhook-version=v2'], /authentication-token-webhook-version/],
    [['--service-account-max-token-expiration=59m'], /must be between 1 hour and 2\^32 seconds$/],
    [['--service-account-jwks-uri=http://h/keys'], /must be an https URL/],
    [['--oidc-issuer-url=https://h'], /oidc-issuer-url and oidc-client-id should be specified together/],
    [['--oidc-ca-file=ca.crt'], /mean nothing without --oidc-issuer-url/],
    [['--oidc-required-claim=a=b'], /mean nothing without --oidc-issuer-url/],
    [['--oidc-client-id=c'], /oidc-issuer-url and oidc-client-id should be specified together/],
    [['--oidc-issuer-url=http://h', '--oidc-client-id=c'], /is no https URL/],
    [
      ['--oidc-issuer-url=https://h', '--oidc-client-id=c', '--oidc-signing-algs=HS256'],
      /unsupported signing alg: HS256/,
    ],
    [['--authorization-mode=ABAC'], /ABAC needs --authorization-policy-file/],
    [['--authorization-mode=Webhook'], /Webhook needs --authorization-webhook-config-file/],
    [['--authorization-webhook-config-file=x'], /needs --authorization-mode=Webhook/],
    [['--authorization-webhook-version=v2'], /authorization-webhook-version/],
    [['--authorization-mode=RBAC,RBAC'], /RBAC is given more than once/],
    [['--authorization-mode='], /needs at least one mode/],
    [
      ['--feature-gates=SeverSideApply=true'],
      /unrecognized feature gate: SeverSideApply; did you mean ServerSideApply/,
    ],
    [
      ['--feature-gates=NodeLease=false'],
      /cannot set feature gate NodeLease to false, feature is locked to true/,
    ],
    [
      ['--enable-admission-plugins=NodeRestrictions'],
      /"NodeRestrictions" is unknown; did you mean NodeRestriction/,
    ],
    [['--disable-admission-plugins=Nonsense'], /"Nonsense" is unknown$/],
    [
      ['--enable-admission-plugins=Priority', '--disable-admission-plugins=Priority'],
      /^Priority in .* overlapped$/,
    ],
    [['--admission-control=Nonsense'], /^admission-control plugin "Nonsense" is unknown$/],
    [
      ['--admission-control=Priority', '--disable-admission-plugins=LimitRanger'],
      /^admission-control and enable-admission-plugins\/disable-admission-plugins flags are mutually exclusive$/,
    ],
    [['--runtime-config=batch=true'], /batch is neither group\/version nor/],
    [['--runtime-config=api/all=maybe'], /the value of api\/all must be true or false/],
    [['--service-cluster-ip-range=10.0.0.0/8'], /too large; for 32-bit addresses, the mask must be >= 12/],
    [
      ['--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24', '--feature-gates=IPv6DualStack=true'],
      /different IP families/,
    ],
    [
      [
        '--service-cluster-ip-range=10.0.0.0/24,fd00::/112',
        '--feature-gates=IPv6DualStack=true,EndpointSlice=false',
      ],
      /secondary service cluster-ip range can only be used/,
    ],
    [
      ['--service-cluster-ip-range=10.0.0.0/24,fd00::/112'],
      /secondary service cluster-ip range can only be used if IPv6DualStack and EndpointSlice feature is enabled$/,
    ],
    [['--ephemeral', '--storage=sqlite:/x'], /contradict each other/],
    [['--storage=mysql:x'], /must be sqlite:PATH, memory: or etcd:URL,URL/],
    [['--controllers=none,namespace'], /none cannot be joined/],
    [['--cors-allowed-origins=('], /is not a regular expression/],
    [['--goaway-chance=0.5'], /must be at most 0.02/],
    [['now'], /unexpected argument "now"/],
  ];
  for (const [argv, problem] of refused) {
    it(`refuses ${argv.join(' ')}`, () => {
      expect(problemsOf(...argv)).to.have.length(1);
      expect(problemsOf(...argv)[0]).to.match(problem);
    });
  }

  it('takes other spellings of flags, gates and APIs through unspell', () => {
    const unspell = (text: string) => text.replace('acme', 'orch').replace('Acme', 'NodeAgent');
    const { config } = layerServeConfig({
      argv: [
        '--feature-gates=DynamicAcmeConfig=false',
        '--runtime-config=apps.acme.io/v1=false',
        '--acme-service-node-port=0',
      ],
      unspell,
    });
    expect(config.featureGates).to.deep.equal({ DynamicNodeAgentConfig: false });
    expect(config.runtimeConfig).to.deep.equal({ 'apps.orch.io/v1': 'false' });
  });
});

describe('etcdServers', () => {
  const servers = (...argv: string[]) => etcdServers(layerServeConfig({ argv }).config);

  it('are the members of either flag', () => {
    const urls = ['http://a:2379', 'http://b:2379'];
    expect(servers('--etcd-servers=http://a:2379,http://b:2379')).to.deep.equal(urls);
    expect(servers('--storage=etcd:http://a:2379,http://b:2379')).to.deep.equal(urls);
    expect(servers('--storage=etcd:https://[::1]:2379/')).to.deep.equal(['https://[::1]:2379/']);
  });

  it('are none when objects are stored elsewhere', () => {
    for (const flags of [[], ['--storage=memory:'], ['--ephemeral']]) {
      expect(servers(...flags)).to.equal(undefined);
    }
  });
});

describe('storageRoot', () => {
  const roots = [
    [[], '/registry/'],
    [['--etcd-servers=http://h:1', '--etcd-prefix=site//one/'], '/site/one/'],
  ] as const;
  for (const [argv, root] of roots) {
    it(`is ${root} with ${argv.join(' ') || 'no flags'}`, () => {
      expect(storageRoot(layerServeConfig({ argv }).config)).to.equal(root);
    });
  }
});

describe('effectiveAdmissionPlugins', () => {
  const pluginsOf = (...argv: string[]) => effectiveAdmissionPlugins(layerServeConfig({ argv }).config);

  it('adds and removes plugins and keeps their order of running', () => {
    const plugins = pluginsOf(
      '--enable-admission-plugins=NodeRestriction,AlwaysDeny',
      '--disable-admission-plugins=ServiceAccount',
    );
    expect(plugins.slice(0, 3)).to.deep.equal(['NamespaceLifecycle', 'LimitRanger', 'NodeRestriction']);
    expect(plugins.at(-1)).to.equal('AlwaysDeny');
    expect(plugins).not.to.include('ServiceAccount');
  });

  it('has no others than those of the old flag, in the order of running too', () => {
    expect(pluginsOf('--admission-control=ResourceQuota,AlwaysDeny,LimitRanger')).to.deep.equal([
      'LimitRanger',
      'ResourceQuota',
      'AlwaysDeny',
    ]);
  });
});

describe('isControllerEnabled', () => {
  for (const [list, onByDefault, expected] of [
    [['*'], true, true],
    [['*'], false, false],
    [['*', '-namespace'], true, false],
    [['-namespace', '*'], true, false],
    [['*', 'namespace'], false, true],
    [['namespace'], false, true],
    [['other'], true, false],
    [['none'], true, false],
  ] as const) {
    it(`says ${expected} for ${list.join(',')} when ${onByDefault ? 'on' : 'off'} by default`, () => {
      expect(isControllerEnabled(list, 'namespace', { onByDefault })).to.equal(expected);
    });
  }
});

describe('TLS names', () => {
  it("are translated to the runtime's", () => {
    expect(runtimeTlsVersion('VersionTLS12')).to.equal('TLSv1.2');
    expect(() => runtimeTlsVersion('TLS12')).to.throw(RangeError);
    expect(
      opensslCipherList(['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_RSA_WITH_AES_128_CBC_SHA']),
    ).to.equal('ECDHE-RSA-AES128-GCM-SHA256:AES128-SHA');
  });
});
