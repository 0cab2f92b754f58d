import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  ContainerConfigError,
  containerLogLink,
  containerLogPath,
  extractPodField,
  formatPodName,
  type HostsFileOptions,
  hostsFile,
  hostsFilePath,
  podContainerDirectory,
  podDirectory,
  podHostname,
  podLogsDirectory,
  podPluginDirectory,
  portMappings,
  subPathDirectory,
  volumeDeviceDirectory,
  volumeDirectory,
} from '../../../../src/nodeagent/container-config/index.ts';
import { containerOf, podOf } from './pods.ts';

const hostnameOf = (spec: Partial<Pod['spec']>, name = 'web') =>
  podHostname(podOf(spec, { name }), 'cluster.local');

describe('podHostname', () => {
  it("is the pod's wish, or its name", () => {
    expect(hostnameOf({})).to.deep.equal({ hostname: 'web', domain: '', kernelHostname: 'web' });
    expect(hostnameOf({ hostname: 'h1', subdomain: 'sub' })).to.deep.equal({
      hostname: 'h1',
      domain: 'sub.shop.svc.cluster.local',
      kernelHostname: 'h1',
    });
  });

  it('is whole where the pod asks for it and has a subdomain', () => {
    const spec = { hostname: 'h1', subdomain: 'sub', setHostnameAsFQDN: true };
    expect(hostnameOf(spec).kernelHostname).to.equal('h1.sub.shop.svc.cluster.local');
    expect(hostnameOf({ setHostnameAsFQDN: true }).kernelHostname).to.equal('web');
  });

  it('is cut to 63 characters, and not behind a dash or dot', () => {
    expect(hostnameOf({}, 'p'.repeat(70)).hostname).to.equal('p'.repeat(63));
    expect(hostnameOf({}, `${'p'.repeat(60)}-.-xyz`).hostname).to.equal('p'.repeat(60));
    expect(() => hostnameOf({}, `${'-'.repeat(64)}`)).to.throw(ContainerConfigError, 'was invalid');
  });

  it('refuses names that are no labels, and whole names that are too long', () => {
    expect(() => hostnameOf({ hostname: 'A.b' })).to.throw(
      'pod Hostname "A.b" is not a valid DNS label: a lowercase',
    );
    expect(() => hostnameOf({ subdomain: '-' })).to.throw(
      'pod Subdomain "-" is not a valid DNS label: a lowercase',
    );
    const long = { hostname: 'h'.repeat(40), subdomain: 'sub', setHostnameAsFQDN: true };
    expect(() => hostnameOf(long))
      .to.throw(ContainerConfigError)
      .with.property(
        'message',
        `Failed to construct FQDN from pod hostname and cluster domain, FQDN ${'h'.repeat(40)}.sub.shop.svc.cluster.local is too long (64 characters is the max, 67 characters requested)`,
      );
  });
});

describe('hostsFile', () => {
  const options: HostsFileOptions = {
    podIps: ['10.1.0.2'],
    names: { hostname: 'web', domain: '' },
    nodeHostsFile: '127.0.0.1\tlocalhost node\n',
    dialect: orchDialect,
  };
  const start =
    '# Orch-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n';
  const hostAliases = [
    { ip: '192.0.2.9', hostnames: ['a.test', 'b.test'] },
    { ip: '2001:db8::1', hostnames: ['v6.test'] },
  ];
  const aliases = '\n# Entries added by HostAliases.\n192.0.2.9\ta.test\tb.test\n2001:db8::1\tv6.test\n';

  it('names the pod by all its addresses, as recorded', () => {
    expect(hostsFile(podOf(), options)).to.equal(`${start}10.1.0.2\tweb\n`);
    const names = { hostname: 'h1', domain: 'sub.shop.svc.cluster.local' };
    const full = hostsFile(podOf(), { ...options, podIps: ['10.1.0.2', 'fd00::2'], names });
    expect(full).to.equal(
      `${start}10.1.0.2\th1.sub.shop.svc.cluster.local\th1\nfd00::2\th1.sub.shop.svc.cluster.local\th1\n`,
    );
  });

  it('adds aliases, as recorded', () => {
    expect(hostsFile(podOf({ hostAliases }), options)).to.equal(`${start}10.1.0.2\tweb\n${aliases}`);
  });

  it("is the node's own on the node's network, in the words of the dialect", () => {
    const pod = podOf({ hostNetwork: true, hostAliases });
    expect(hostsFile(pod, { ...options, dialect: createDialect('kubernetes') })).to.equal(
      `# Kubernetes-managed hosts file (host network).\n127.0.0.1\tlocalhost node\n${aliases}`,
    );
  });
});

describe('paths of a pod', () => {
  const podDir = podDirectory('/var/lib/agent', 'u-1');

  it('are laid out as the reference does', () => {
    expect([
      podDir,
      hostsFilePath(podDir),
      podContainerDirectory(podDir, 'c'),
      volumeDirectory(podDir, 'orch.io/empty-dir', 'v'),
      volumeDeviceDirectory(podDir, 'orch.io/local-volume'),
      podPluginDirectory(podDir, 'orch.io/empty-dir'),
      subPathDirectory(podDir, 'v', 'c', 2),
      podLogsDirectory(podOf()),
      containerLogPath('c', 3),
      containerLogLink(podOf(), 'c', 'id'),
    ]).to.deep.equal([
      '/var/lib/agent/pods/u-1',
      '/var/lib/agent/pods/u-1/etc-hosts',
      '/var/lib/agent/pods/u-1/containers/c',
      '/var/lib/agent/pods/u-1/volumes/orch.io~empty-dir/v',
      '/var/lib/agent/pods/u-1/volumeDevices/orch.io~local-volume',
      '/var/lib/agent/pods/u-1/plugins/orch.io~empty-dir',
      '/var/lib/agent/pods/u-1/volume-subpaths/v/c/2',
      '/var/log/pods/shop_web_u-1',
      'c/3.log',
      '/var/log/containers/web_shop_c-id.log',
    ]);
  });

  it('never lead elsewhere', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('.', '/', 'a', '~', '\0')), (letters) => {
        const name = letters.join('');
        const places = [
          () => podDirectory('/r/x', name),
          () => podContainerDirectory('/r/x/pods', name),
          () => subPathDirectory('/r/x/pods', name, name, 0),
        ];
        for (const place of places) {
          try {
            expect(place()).to.match(/^\/r\/x\/pods\/./);
            expect(name).to.not.match(/[/\0]|^\.{0,2}$/);
          } catch (error) {
            expect(error).to.be.instanceOf(RangeError);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('formatPodName', () => {
  it('names the pod, its namespace and its uid', () =>
    expect(formatPodName(podOf())).to.equal('web_shop(u-1)'));
});

describe('extractPodField', () => {
  const pod = podOf({}, { labels: { b: 'say "x"', a: '1' }, annotations: { 'Up/Case': 'y' } });
  const read = (path: string) => extractPodField(pod, path, { podIps: [], hostIps: [] });

  it('writes all labels in lines, sorted and quoted', () => {
    expect(read('metadata.labels')).to.equal('a="1"\nb="say \\"x\\""');
    expect(read("metadata.annotations['Up/Case']")).to.equal('y');
    expect(read('status.podIPs')).to.equal('');
  });

  it('refuses what is not offered', () => {
    expect(() => read('spec.containers')).to.throw(
      ContainerConfigError,
      'field label not supported: spec.containers',
    );
    expect(() => read("spec.nodeName['x']")).to.throw('field label does not support subscript');
    expect(() => read("metadata.labels['a b']")).to.throw(
      "invalid key subscript in metadata.labels['a b']: name part",
    );
    expect(() => read('status.hostIP')).to.throw('host IP unknown');
  });
});

describe('portMappings', () => {
  it('lists the ports of all containers, each once', () => {
    const a = containerOf({
      ports: [
        { containerPort: 80, hostPort: 8080, hostIP: '192.0.2.2', protocol: 'TCP' },
        { containerPort: 80, hostPort: 8080, hostIP: '192.0.2.2', protocol: 'TCP' },
        { containerPort: 80, hostPort: 8080, protocol: 'UDP' },
        { name: 'web', containerPort: 81 },
        { name: 'web', containerPort: 82 },
      ],
    });
    const b = containerOf({
      name: 'b',
      ports: [{ name: 'web', containerPort: 83, protocol: 'SCTP', hostIP: '' }],
    });
    expect(portMappings([a, b, containerOf({ name: 'd' })])).to.deep.equal([
      { protocol: 'TCP', containerPort: 80, hostPort: 8080, hostIp: '192.0.2.2' },
      { protocol: 'UDP', containerPort: 80, hostPort: 8080 },
      { protocol: 'TCP', containerPort: 81, hostPort: 0 },
      { protocol: 'SCTP', containerPort: 83, hostPort: 0 },
    ]);
  });
});
