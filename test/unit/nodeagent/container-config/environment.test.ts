import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ConfigMap, EnvVar, Secret } from '../../../../src/apis/types/core-v1.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  buildEnvironment,
  ContainerConfigError,
  type EnvironmentOptions,
} from '../../../../src/nodeagent/container-config/index.ts';
import { containerOf, podOf, serviceOf } from './pods.ts';

const configMap = (data: Record<string, string>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { creationTimestamp: null },
  data,
});
const secret = (data: Record<string, string>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { creationTimestamp: null },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
});

const optionsOf = (options: Partial<EnvironmentOptions> = {}): EnvironmentOptions => ({
  pod: podOf(),
  container: containerOf(),
  services: [],
  masterServiceNamespace: 'default',
  sources: { configMaps: new Map(), secrets: new Map() },
  allocatable: { cpu: '4', memory: '1Gi' },
  podIps: ['10.1.0.2', 'fd00::2'],
  hostIps: ['192.0.2.2'],
  dialect: orchDialect,
  ...options,
});

const environmentOf = (options: Partial<EnvironmentOptions>): Record<string, string> =>
  Object.fromEntries(buildEnvironment(optionsOf(options)).variables.map(({ name, value }) => [name, value]));

const withEnv = (env: EnvVar[], options: Partial<EnvironmentOptions> = {}) =>
  environmentOf({ container: containerOf({ env }), ...options });

describe('buildEnvironment', () => {
  it('expands what is known by then, as recorded', () => {
    const env = [
      { name: 'A', value: 'a' },
      { name: 'B', value: '$(A)b$(C)' },
      { name: 'C', value: 'c' },
      { name: 'D', value: '$$(A)' },
      { name: 'E', value: '$(B)/$(B)' },
      { name: 'A', value: 'again' },
      { name: 'EMPTY' },
    ];
    const { variables } = buildEnvironment(optionsOf({ container: containerOf({ env }) }));
    expect(variables.map(({ name, value }) => `${name}=${value}`)).to.deep.equal([
      'A=again',
      'B=ab$(C)',
      'C=c',
      'D=$(A)',
      'E=ab$(C)/ab$(C)',
      'EMPTY=',
    ]);
  });

  it('takes the last of a name, whatever came before', () => {
    const name = fc.constantFrom('A', 'B', 'C');
    const value = fc.stringMatching(/^[a-z]{1,3}$/);
    const data = fc.dictionary(name, value);
    const vars = fc.array(fc.record({ name, value }));
    fc.assert(
      fc.property(data, data, vars, (map, hidden, env) => {
        const container = containerOf({
          envFrom: [{ configMapRef: { name: 'm' } }, { secretRef: { name: 's' } }],
          env,
        });
        const sources = {
          configMaps: new Map([['m', configMap(map)]]),
          secrets: new Map([['s', secret(hidden)]]),
        };
        const own = Object.fromEntries(env.map((each) => [each.name, each.value]));
        expect(environmentOf({ container, sources })).to.deep.equal({ ...map, ...hidden, ...own });
      }),
      { numRuns: 60 },
    );
  });

  it('skips invalid names of whole sources and says so, as recorded', () => {
    const container = containerOf({
      envFrom: [
        { configMapRef: { name: 'one' } },
        { prefix: 'P_', configMapRef: { name: 'one' } },
        { secretRef: { name: 'two' } },
        { configMapRef: { name: 'none', optional: true } },
      ],
      env: [{ name: 'K2', value: 'own' }],
    });
    const one = configMap({ K1: 'v1', K2: 'v2', K3: 'cm', 'bad-.key': 'x', '1digit': 'y' });
    const sources = {
      configMaps: new Map([['one', one]]),
      secrets: new Map([['two', secret({ S1: 's1', K3: 'secret' })]]),
    };
    const { variables, notices } = buildEnvironment(optionsOf({ container, sources }));
    expect(Object.fromEntries(variables.map(({ name, value }) => [name, value]))).to.deep.equal({
      K1: 'v1',
      K2: 'own',
      K3: 'secret',
      'bad-.key': 'x',
      P_K1: 'v1',
      P_K2: 'v2',
      P_K3: 'cm',
      'P_bad-.key': 'x',
      P_1digit: 'y',
      S1: 's1',
    });
    expect(notices).to.deep.equal([
      {
        about: 'pod',
        reason: 'InvalidEnvironmentVariableNames',
        message:
          'Keys [1digit] from the EnvFrom configMap shop/one were skipped since they are considered invalid environment variable names.',
      },
    ]);
  });

  it('reads keys of config maps and secrets, and leaves optional ones out', () => {
    const sources = {
      configMaps: new Map([['m', configMap({ k: '$(A)' })]]),
      secrets: new Map([['s', secret({ k: 'hidden' })]]),
    };
    const env = [
      { name: 'M', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } },
      { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'N', valueFrom: { secretKeyRef: { name: 's', key: 'none', optional: true } } },
      { name: 'O', valueFrom: { configMapKeyRef: { name: 'none', key: 'k', optional: true } } },
    ];
    expect(withEnv(env, { sources })).to.deep.equal({ M: '$(A)', S: 'hidden' });
  });

  it('refuses sources that are missing, in the words that were recorded', () => {
    const sources = { configMaps: new Map([['m', configMap({})]]), secrets: new Map([['s', secret({})]]) };
    const messageOf = (valueFrom: EnvVar['valueFrom'], options: Partial<EnvironmentOptions> = {}): string => {
      try {
        withEnv([{ name: 'V', valueFrom }], { sources, ...options });
      } catch (error) {
        if (error instanceof ContainerConfigError) return error.message;
        throw error;
      }
      return 'none';
    };
    expect([
      messageOf({ configMapKeyRef: { name: 'm', key: 'a' } }),
      messageOf({ secretKeyRef: { name: 's', key: 'a' } }),
      messageOf({ configMapKeyRef: { name: 'm', key: 'constructor' } }),
      messageOf({ configMapKeyRef: { name: 'x', key: 'a' } }),
      messageOf({ secretKeyRef: { name: 'x', key: 'a' } }),
      messageOf({ configMapKeyRef: { name: 'x', key: 'k1' } }, { sources: undefined }),
      messageOf(
        { secretKeyRef: { name: 'x', key: 'k1' } },
        { sources: undefined, dialect: createDialect('kubernetes') },
      ),
    ]).to.deep.equal([
      "couldn't find key a in ConfigMap shop/m",
      "couldn't find key a in Secret shop/s",
      "couldn't find key constructor in ConfigMap shop/m",
      'configmap "x" not found',
      'secret "x" not found',
      "couldn't get configMap shop/x, no orchClient defined",
      "couldn't get secret shop/x, no kubeClient defined",
    ]);
  });

  it('shows fields of the pod', () => {
    const pod = podOf(
      { nodeName: 'node1', serviceAccountName: 'robot' },
      { labels: { app: 'web' }, annotations: { 'example.test/a': 'x y' } },
    );
    const paths: Readonly<Record<string, string>> = {
      'metadata.name': 'web',
      'metadata.namespace': 'shop',
      'metadata.uid': 'u-1',
      "metadata.labels['app']": 'web',
      "metadata.labels['none']": '',
      "metadata.labels['toString']": '',
      "metadata.annotations['example.test/a']": 'x y',
      'spec.nodeName': 'node1',
      'spec.serviceAccountName': 'robot',
      'status.hostIP': '192.0.2.2',
      'status.podIP': '10.1.0.2',
      'status.podIPs': '10.1.0.2,fd00::2',
    };
    const env = Object.keys(paths).map((fieldPath) => ({
      name: fieldPath,
      valueFrom: { fieldRef: { fieldPath } },
    }));
    expect(withEnv(env, { pod })).to.deep.equal(paths);
  });

  it('shows amounts in multiples of the divisor, as recorded', () => {
    const resources = {
      requests: { cpu: '120m', memory: '20Mi' },
      limits: { cpu: '1500m', memory: '33333333', 'ephemeral-storage': '100Mi' },
    };
    const cases: readonly (readonly [string, string | undefined, string])[] = [
      ['limits.cpu', undefined, '2'],
      ['limits.cpu', '1m', '1500'],
      ['requests.cpu', '0', '1'],
      ['requests.cpu', '1m', '120'],
      ['limits.memory', undefined, '33333333'],
      ['limits.memory', '1Mi', '32'],
      ['requests.memory', '1Ki', '20480'],
      ['limits.ephemeral-storage', '1Mi', '100'],
      ['requests.ephemeral-storage', '1Gi', '0'],
    ];
    const env = cases.map(([resource, divisor], index) => ({
      name: `V${index}`,
      valueFrom: { resourceFieldRef: { resource, divisor } },
    }));
    const container = containerOf({ resources, env });
    expect(Object.values(environmentOf({ container }))).to.deep.equal(
      cases.map(([, , expected]) => expected),
    );
  });

  it('limits a container by what the node has, and looks into other containers', () => {
    const other = containerOf({ name: 'other', resources: { limits: { cpu: '3' } } });
    const pod = podOf({ containers: [containerOf(), other] });
    const env = ['limits.memory', 'limits.cpu'].flatMap((resource) => [
      { name: `own ${resource}`, valueFrom: { resourceFieldRef: { resource } } },
      { name: `other ${resource}`, valueFrom: { resourceFieldRef: { resource, containerName: 'other' } } },
    ]);
    expect(withEnv(env, { pod })).to.deep.equal({
      'own limits.memory': '1073741824',
      'other limits.memory': '1073741824',
      'own limits.cpu': '4',
      'other limits.cpu': '3',
    });
    const unknown = { resourceFieldRef: { resource: 'limits.cpu', containerName: 'x' } };
    expect(() => withEnv([{ name: 'V', valueFrom: unknown }], { pod })).to.throw('container x not found');
  });

  describe('with services', () => {
    const api = serviceOf('orch', 'default', '10.0.0.1', [{ name: 'https', port: 443, protocol: 'TCP' }]);
    const mine = serviceOf('my-svc', 'shop', '10.0.0.77', [
      { name: 'web', port: 80 },
      { name: 'dns-udp', port: 53, protocol: 'UDP' },
    ]);
    const services = [
      api,
      mine,
      serviceOf('other', 'elsewhere', '10.0.0.9', [{ port: 1 }]),
      serviceOf('headless', 'shop', 'None', [{ port: 1 }]),
    ];
    const apiVariables = {
      ORCH_SERVICE_HOST: '10.0.0.1',
      ORCH_SERVICE_PORT: '443',
      ORCH_SERVICE_PORT_HTTPS: '443',
      ORCH_PORT: 'tcp://10.0.0.1:443',
      ORCH_PORT_443_TCP: 'tcp://10.0.0.1:443',
      ORCH_PORT_443_TCP_PROTO: 'tcp',
      ORCH_PORT_443_TCP_PORT: '443',
      ORCH_PORT_443_TCP_ADDR: '10.0.0.1',
    };

    it('tells those of the namespace and that of the API, as recorded', () => {
      expect(environmentOf({ services })).to.deep.equal({
        ...apiVariables,
        MY_SVC_SERVICE_HOST: '10.0.0.77',
        MY_SVC_SERVICE_PORT: '80',
        MY_SVC_SERVICE_PORT_WEB: '80',
        MY_SVC_SERVICE_PORT_DNS_UDP: '53',
        MY_SVC_PORT: 'tcp://10.0.0.77:80',
        MY_SVC_PORT_80_TCP: 'tcp://10.0.0.77:80',
        MY_SVC_PORT_80_TCP_PROTO: 'tcp',
        MY_SVC_PORT_80_TCP_PORT: '80',
        MY_SVC_PORT_80_TCP_ADDR: '10.0.0.77',
        MY_SVC_PORT_53_UDP: 'udp://10.0.0.77:53',
        MY_SVC_PORT_53_UDP_PROTO: 'udp',
        MY_SVC_PORT_53_UDP_PORT: '53',
        MY_SVC_PORT_53_UDP_ADDR: '10.0.0.77',
      });
    });

    it('tells only that of the API without links', () => {
      expect(environmentOf({ services, pod: podOf({ enableServiceLinks: false }) })).to.deep.equal(
        apiVariables,
      );
    });

    it('lets variables refer to them and replace them', () => {
      const env = [
        { name: 'URL', value: 'http://$(MY_SVC_SERVICE_HOST)' },
        { name: 'MY_SVC_SERVICE_HOST', value: 'mine' },
        { name: 'LATER', value: '$(MY_SVC_SERVICE_HOST)' },
      ];
      expect(withEnv(env, { services })).to.include({
        URL: 'http://10.0.0.77',
        MY_SVC_SERVICE_HOST: 'mine',
        LATER: 'mine',
      });
    });

    it('writes IPv6 addresses in brackets where a port follows', () => {
      const six = [serviceOf('s', 'shop', 'fd00::7', [{ port: 80 }])];
      expect(environmentOf({ services: six })).to.include({
        S_SERVICE_HOST: 'fd00::7',
        S_PORT: 'tcp://[fd00::7]:80',
      });
    });
  });

  it('stays bounded when references multiply', () => {
    const env = Array.from({ length: 64 }, (_, index) => ({
      name: `V${index}`,
      value: index === 0 ? 'xxxxxxxx' : `$(V${index - 1})$(V${index - 1})`,
    }));
    expect(() => withEnv(env)).to.throw(ContainerConfigError, 'too long');
  });
});
