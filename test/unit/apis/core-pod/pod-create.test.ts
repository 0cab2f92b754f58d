import { expect } from 'chai';
import { podRules } from '../../../../src/apis/core/pod.ts';
import { createErrors, makePod, withGates } from './rule-bench.ts';
import { label1123, labelValue, qualifiedPart, subdomain1123 } from './wording.ts';

interface Case {
  readonly about: string;
  readonly spec: object;
  /** Errors without `spec.` in front. */
  readonly errors: readonly string[];
}

const ids = 'must be between 0 and 2147483647, inclusive';
const fileMode = 'must be a number between 0 and 0777 (octal), both inclusive';
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const expression = (key: string, operator: string, ...values: string[]): object => ({
  key,
  operator,
  values,
});
const windows = (runAsUserName: string): object => ({
  securityContext: { windowsOptions: { runAsUserName } },
});
const windowsError = (name: string, problem: string): string =>
  `securityContext.windowsOptions.runAsUserName: Invalid value: ${JSON.stringify(name)}: runAsUserName${problem}`;

const cases: readonly Case[] = [
  { about: 'no containers', spec: { containers: [] }, errors: ['containers: Required value'] },
  {
    about: 'policies that do not exist',
    spec: { restartPolicy: 'Perhaps', dnsPolicy: 'Z', preemptionPolicy: 'Q' },
    errors: [
      'restartPolicy: Unsupported value: "Perhaps": supported values: "Always", "OnFailure", "Never"',
      'dnsPolicy: Unsupported value: "Z": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      'preemptionPolicy: Unsupported value: "Q": supported values: "PreemptLowerPriority", "Never"',
    ],
  },
  {
    about: 'names',
    spec: {
      nodeSelector: { 'a b': 'c d' },
      serviceAccountName: 'A',
      nodeName: 'N_',
      activeDeadlineSeconds: 0,
      hostname: 'h.h',
      subdomain: 's.s',
      priorityClassName: 'P',
      runtimeClassName: 'R',
      readinessGates: [{ conditionType: 'a b' }],
    },
    errors: [
      `nodeSelector: Invalid value: "a b": ${qualifiedPart}`,
      `nodeSelector: Invalid value: "c d": ${labelValue}`,
      `readinessGates[0].conditionType: Invalid value: "a b": ${qualifiedPart}`,
      `serviceAccountName: Invalid value: "A": ${subdomain1123}`,
      `nodeName: Invalid value: "N_": ${subdomain1123}`,
      'activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
      `hostname: Invalid value: "h.h": ${label1123}`,
      `subdomain: Invalid value: "s.s": ${label1123}`,
      `priorityClassName: Invalid value: "P": ${subdomain1123}`,
      `runtimeClassName: Invalid value: "R": ${subdomain1123}`,
    ],
  },
  {
    about: 'numeric users and groups',
    spec: { securityContext: { fsGroup: -2, runAsUser: -1, runAsGroup: -4, supplementalGroups: [1, -3] } },
    errors: [
      `securityContext.fsGroup: Invalid value: -2: ${ids}`,
      `securityContext.runAsUser: Invalid value: -1: ${ids}`,
      `securityContext.runAsGroup: Invalid value: -4: ${ids}`,
      `securityContext.supplementalGroups[1]: Invalid value: -3: ${ids}`,
    ],
  },
  {
    about: 'processes shared with the node and in the pod',
    spec: { hostPID: true, shareProcessNamespace: true },
    errors: [
      'securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
    ],
  },
  {
    about: 'kernel settings and ownership of volumes',
    spec: {
      securityContext: {
        sysctls: [
          { name: '', value: '' },
          { name: 'A', value: '' },
          { name: 'a.b', value: '' },
          { name: 'a.b', value: '' },
        ],
        fsGroupChangePolicy: 'Q',
      },
    },
    errors: [
      'securityContext.sysctls[0].name: Required value',
      'securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?',
      'securityContext.sysctls[3].name: Duplicate value: "a.b"',
      'securityContext.fsGroupChangePolicy: Unsupported value: "Q": supported values: "Always", "OnRootMismatch"',
    ],
  },
  {
    about: 'credentials for Windows',
    spec: { securityContext: { windowsOptions: { gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '' } } },
    errors: [
      `securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "A": ${subdomain1123}`,
      'securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
    ],
  },
  {
    about: 'an empty Windows user',
    spec: windows(''),
    errors: [windowsError('', ' cannot be an empty string')],
  },
  {
    about: 'two backslashes',
    spec: windows('a\\b\\c'),
    errors: [windowsError('a\\b\\c', ' cannot contain more than one backslash')],
  },
  {
    about: 'control characters',
    spec: windows('a\tb'),
    errors: [windowsError('a\tb', ' cannot contain control characters')],
  },
  {
    about: 'a domain without a user',
    spec: windows('d\\'),
    errors: [windowsError('d\\', "'s User cannot be empty")],
  },
  {
    about: 'a user of dots',
    spec: windows('..'),
    errors: [windowsError('..', "'s User cannot contain only periods or spaces")],
  },
  {
    about: 'a bad domain and user',
    spec: windows('.d\\a:b'),
    errors: [
      windowsError('.d\\a:b', "'s Domain doesn't match the NetBios nor the DNS format"),
      windowsError('.d\\a:b', '\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]'),
    ],
  },
  {
    about: 'affinity to nodes',
    spec: {
      affinity: {
        nodeAffinity: {
          [required]: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  expression('a', 'In'),
                  expression('a', 'Exists', 'x'),
                  expression('a', 'Gt'),
                  expression('a b', 'Foo'),
                ],
                matchFields: [expression('metadata.name', 'In', 'a', 'B'), expression('spec.x', 'Exists')],
              },
            ],
          },
          [preferred]: [{ weight: 0, preference: {} }],
        },
      },
    },
    errors: [
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[1].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[2].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[3].operator: Invalid value: "Foo": not a valid selector operator`,
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[3].key: Invalid value: "a b": ${qualifiedPart}`,
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchFields[0].values[1]: Invalid value: "B": ${subdomain1123}`,
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchFields[1].operator: Invalid value: "Exists": not a valid selector operator`,
      `affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchFields[1].key: Invalid value: "spec.x": not a valid field selector key`,
      `affinity.nodeAffinity.${preferred}[0].weight: Invalid value: 0: must be in the range 1-100`,
    ],
  },
  {
    about: 'affinity to no node',
    spec: { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [] } } } },
    errors: [
      `affinity.nodeAffinity.${required}.nodeSelectorTerms: Required value: must have at least one node selector term`,
    ],
  },
  {
    about: 'affinity to pods',
    spec: {
      affinity: {
        podAffinity: { [required]: [{ topologyKey: 'a b', namespaces: ['N'] }] },
        podAntiAffinity: {
          [preferred]: [
            {
              weight: 101,
              podAffinityTerm: {
                topologyKey: 'a',
                labelSelector: { matchExpressions: [expression('a', 'Foo')] },
              },
            },
          ],
        },
      },
    },
    errors: [
      `affinity.podAffinity.${required}[0].namespace: Invalid value: "N": ${label1123}`,
      `affinity.podAffinity.${required}[0].topologyKey: Invalid value: "a b": ${qualifiedPart}`,
      `affinity.podAntiAffinity.${preferred}[0].weight: Invalid value: 101: must be in the range 1-100`,
      `affinity.podAntiAffinity.${preferred}[0].podAffinityTerm.matchExpressions.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator`,
    ],
  },
  {
    about: 'affinity without a topology',
    spec: { affinity: { podAffinity: { [required]: [{ topologyKey: '' }] } } },
    errors: [
      `affinity.podAffinity.${required}[0].topologyKey: Required value: can not be empty`,
      `affinity.podAffinity.${required}[0].topologyKey: Invalid value: "": name part must be non-empty`,
      `affinity.podAffinity.${required}[0].topologyKey: Invalid value: "": ${qualifiedPart}`,
    ],
  },
  {
    about: 'spreading',
    spec: {
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Q' },
        { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
        { maxSkew: 2, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    },
    errors: [
      'topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Q": supported values: "DoNotSchedule", "ScheduleAnyway"',
      'topologySpreadConstraints[1].{topologyKey, whenUnsatisfiable}: Duplicate value: "{a, DoNotSchedule}"',
    ],
  },
  {
    about: 'no resolver settings where they are needed',
    spec: { dnsPolicy: 'None' },
    errors: ['dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  },
  {
    about: 'no servers where they are needed',
    spec: { dnsPolicy: 'None', dnsConfig: {} },
    errors: [
      'dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
    ],
  },
  {
    about: 'resolver settings',
    spec: {
      dnsConfig: {
        nameservers: ['1.1.1.1', 'x', '::1', '1.1.1.2'],
        searches: ['ok.', 'A', 'c', 'd', 'e', 'f', 'g'],
        options: [{ name: '' }],
      },
      hostAliases: [{ ip: 'x', hostnames: ['A'] }],
    },
    errors: [
      'dnsConfig.nameservers: Invalid value: []string{"1.1.1.1", "x", "::1", "1.1.1.2"}: must not have more than 3 nameservers',
      'dnsConfig.nameservers[1]: Invalid value: "x": must be valid IP address',
      'dnsConfig.searches: Invalid value: []string{"ok.", "A", "c", "d", "e", "f", "g"}: must not have more than 6 search paths',
      `dnsConfig.searches[1]: Invalid value: "A": ${subdomain1123}`,
      'dnsConfig.options[0]: Required value: must not be empty',
      'hostAliases.ip: Invalid value: "x": must be valid IP address',
      `hostAliases.hostnames: Invalid value: "A": ${subdomain1123}`,
    ],
  },
  {
    about: 'a long search list',
    spec: {
      dnsConfig: { searches: ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(63), 'eeee'] },
    },
    errors: [
      `dnsConfig.searches: Invalid value: []string{${['a', 'b', 'c', 'd'].map((c) => `"${c.repeat(63)}"`).join(', ')}, "eeee"}: must not have more than 256 characters (including spaces) in the search list`,
    ],
  },
  {
    about: 'tolerations',
    spec: {
      tolerations: [
        { operator: 'Equal', value: 'x' },
        { key: 'a', operator: 'Exists', value: 'y' },
        { key: 'b', operator: 'Like' },
        { key: 'c', effect: 'Boom' },
        { key: 'd', effect: 'NoSchedule', tolerationSeconds: 3 },
        { key: 'e f', value: 'g h' },
      ],
    },
    errors: [
      'tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      'tolerations[1].operator: Invalid value: core.Toleration{Key:"a", Operator:"Exists", Value:"y", Effect:"", TolerationSeconds:(*int64)(nil)}: value must be empty when `operator` is \'Exists\'',
      'tolerations[2].operator: Unsupported value: "Like": supported values: "Equal", "Exists"',
      'tolerations[3].effect: Unsupported value: "Boom": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'tolerations[4].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      `tolerations[5].key: Invalid value: "e f": ${qualifiedPart}`,
      `tolerations[5].operator: Invalid value: "g h": ${labelValue}`,
    ],
  },
  {
    about: 'overhead of what is no resource',
    spec: { overhead: { nope: '1' } },
    errors: [
      'overhead.limits[nope]: Invalid value: "nope": must be a standard resource type or fully qualified',
      'overhead.limits[nope]: Invalid value: "nope": must be a standard resource for containers',
    ],
  },
  {
    about: 'a token for nobody',
    spec: {
      volumes: [
        {
          name: 'v',
          projected: {
            defaultMode: 0o1000,
            sources: [{ serviceAccountToken: { path: '', expirationSeconds: 5 } }],
          },
        },
      ],
    },
    errors: [
      `volumes[0].projected.defaultMode: Invalid value: 512: ${fileMode}`,
      'volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
      'volumes[0].projected.path: Required value',
      'volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ],
  },
];

describe('podRules.validate of a spec', () => {
  for (const { about, spec, errors } of cases) {
    it(`refuses ${about}`, () => {
      expect(createErrors(podRules, makePod(spec))).to.deep.equal(errors.map((text) => `spec.${text}`));
    });
  }

  it('accepts what the reference accepts although it looks odd', () => {
    expect(createErrors(podRules, makePod({ imagePullSecrets: [{}] }))).to.deep.equal([]);
    expect(createErrors(podRules, makePod(windows('DOM\\user name')))).to.deep.equal([]);
    expect(createErrors(podRules, makePod(windows('dom.example.com\\user')))).to.deep.equal([]);
  });

  it('refuses ephemeral containers in a new pod, when there can be any', () => {
    const spec = { ephemeralContainers: [{ name: 'e', image: 'x' }] };
    expect(createErrors(podRules, makePod(spec))).to.deep.equal([]);
    const gates = withGates({ EphemeralContainers: true });
    expect(createErrors(podRules, makePod(spec), gates)).to.deep.equal([
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
  });
});

describe('podRules.validate of annotations', () => {
  const annotated = (annotations: Record<string, string>, spec: object = {}): string[] =>
    createErrors(podRules, makePod(spec, { annotations }));

  it('demands a node for a mirror pod', () => {
    const annotations = { 'orch.io/config.mirror': 'm' };
    expect(annotated(annotations)).to.deep.equal([
      'metadata.annotations[orch.io/config.mirror]: Invalid value: "m": must set spec.nodeName if mirror pod annotation is set',
    ]);
    expect(annotated(annotations, { nodeName: 'n' })).to.deep.equal([]);
  });

  it('checks tolerations in their old place', () => {
    const name = 'scheduler.alpha.orch.io/tolerations';
    expect(annotated({ [name]: '[{"key":"a","operator":"Like"}]' })).to.deep.equal([
      `metadata.annotations.${name}[0].operator: Unsupported value: "Like": supported values: "Equal", "Exists"`,
    ]);
    for (const [text, problem] of [
      ['{', 'unexpected end of JSON input'],
      ['3', 'json: cannot unmarshal number into Go value of type []core.Toleration'],
      ['["a"]', 'json: cannot unmarshal string into Go value of type core.Toleration'],
      ['[{"key":1}]', 'json: cannot unmarshal number into Go struct field Toleration.Key of type string'],
      [
        '[{"Effect":true}]',
        'json: cannot unmarshal bool into Go struct field Toleration.Effect of type core.TaintEffect',
      ],
    ] as const) {
      expect(annotated({ [name]: text })).to.deep.equal([
        `metadata.annotations: Invalid value: "${name}": ${problem}`,
      ]);
    }
    expect(annotated({ [name]: 'null' })).to.deep.equal([]);
    expect(annotated({ [name]: '[{"KEY":"a","more":1}]' })).to.deep.equal([]);
  });

  it('checks seccomp profiles in their old place', () => {
    const name = 'seccomp.security.alpha.orch.io/pod';
    const container = 'container.seccomp.security.alpha.orch.io/c';
    expect(annotated({ [name]: 'docker/default', [container]: 'unconfined' })).to.deep.equal([]);
    expect(annotated({ [name]: 'nope', [container]: 'localhost//x' })).to.deep.equal([
      `metadata.annotations.${name}: Invalid value: "nope": must be a valid seccomp profile`,
      `metadata.annotations.${container}: Invalid value: "/x": must be a relative path`,
      'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: "/x": must be a relative path',
    ]);
  });

  it('refuses seccomp profiles that contradict one another', () => {
    const name = 'seccomp.security.alpha.orch.io/pod';
    const typeError =
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match';
    const withProfile = (annotation: string, seccompProfile: object): string[] =>
      annotated({ [name]: annotation }, { securityContext: { seccompProfile } });
    expect(withProfile('unconfined', { type: 'RuntimeDefault' })).to.deep.equal([typeError]);
    expect(withProfile('runtime/default', { type: 'Unconfined' })).to.deep.equal([typeError]);
    expect(withProfile('unconfined', { type: 'Localhost', localhostProfile: 'a' })).to.deep.equal([
      typeError,
    ]);
    expect(withProfile('localhost/a', { type: 'Localhost', localhostProfile: 'b' })).to.deep.equal([
      'spec.securityContext.seccompProfile.localhostProfile: Forbidden: seccomp profile in annotation and field must match',
    ]);
    expect(withProfile('docker/default', { type: 'RuntimeDefault' })).to.deep.equal([]);
  });

  it('checks AppArmor profiles and the containers that they name', () => {
    const prefix = 'container.apparmor.security.beta.orch.io/';
    expect(annotated({ [`${prefix}c`]: 'localhost/x' })).to.deep.equal([]);
    expect(annotated({ [`${prefix}d`]: 'nope' })).to.deep.equal([
      `metadata.annotations[${prefix}d]: Invalid value: "d": container not found`,
      `metadata.annotations[${prefix}d]: Invalid value: "nope": invalid AppArmor profile name: "nope"`,
    ]);
  });
});
