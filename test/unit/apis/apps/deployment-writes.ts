import { envVarName, label1123, qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const deploymentWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'dep-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        replicas: 3,
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
        template: {
          metadata: { labels: { app: 'web', tier: 'front' }, annotations: { a: 'b' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: '25%' } },
        minReadySeconds: 5,
        revisionHistoryLimit: 4,
        paused: true,
        progressDeadlineSeconds: 120,
      },
    },
    status: {
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 1,
      collisionCount: 1,
      conditions: [
        {
          type: 'Available',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
          lastUpdateTime: '2020-01-01T00:00:00Z',
        },
        {
          type: 'Progressing',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
          lastUpdateTime: '2020-01-01T00:00:00Z',
        },
      ],
    },
    accepted: [
      { '/spec/template/spec/containers/0/terminationMessagePath': '' },
      { '/spec/template/metadata/namespace': 'UpperCase' },
      { '/spec/replicas': 4 },
      { '/spec/template/metadata/finalizers': [] },
      { '/spec/template/spec/overhead': {} },
      { '/spec/template/spec/containers/0/lifecycle': {} },
      { '/spec/paused': false },
    ],
    refused: [
      [
        { '/spec/template/metadata/labels': { [`${'a'.repeat(260)}/a`]: 'sample' } },
        [
          `spec.template.metadata.labels: Invalid value: map[string]string{"${'a'.repeat(260)}/a":"sample"}: \`selector\` does not match template \`labels\``,
          `spec.template.labels: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
        ],
      ],
      [
        { '/spec/template/spec/containers/0/volumeDevices': [null] },
        [
          'spec.template.spec.containers[0].volumeDevices[0].name: Required value',
          'spec.template.spec.containers[0].volumeDevices[0].name: Not found: ""',
          'spec.template.spec.containers[0].volumeDevices[0].devicePath: Required value',
        ],
      ],
      [
        { '/spec/template/spec/containers/0/ports': [{}] },
        ['spec.template.spec.containers[0].ports[0].containerPort: Required value'],
      ],
      [{ '/spec/template/spec/containers': [] }, ['spec.template.spec.containers: Required value']],
      [
        { '/spec/template/spec/containers/0/startupProbe': { noSuchField: { a: [1] } } },
        ['spec.template.spec.containers[0].startupProbe: Required value: must specify a handler type'],
      ],
      [
        { '/spec/template': null },
        [
          'spec.template.metadata.labels: Invalid value: map[string]string(nil): `selector` does not match template `labels`',
          'spec.template.spec.containers: Required value',
        ],
      ],
      [
        {
          '/spec/template/spec/subdomain': 'naïve',
          '/spec/template/spec/containers/0/name': 'a'.repeat(253),
        },
        [
          `spec.template.spec.containers[0].name: Invalid value: "${'a'.repeat(253)}": must be no more than 63 characters`,
          `spec.template.spec.subdomain: Invalid value: "naïve": ${label1123}`,
        ],
      ],
      [
        { '/spec/template/spec/containers/0/terminationMessagePolicy': 'file' },
        [
          "spec.template.spec.containers[0].terminationMessagePolicy: Invalid value: \"file\": must be 'File' or 'FallbackToLogsOnError'",
        ],
      ],
      [
        { '/spec/template/spec/nodeSelector': { 'bad key!': 'v' } },
        [`spec.template.spec.nodeSelector: Invalid value: "bad key!": ${qualifiedPart}`],
      ],
    ],
    changed: [
      { '/spec/template/spec/containers/0/args': ['sample'] },
      { '/spec/template/spec/containers/0/stdinOnce': true },
      { '/spec/replicas': undefined },
      { '/spec/template/metadata/resourceVersion': '-abc' },
      { '/spec/revisionHistoryLimit': 1 },
      { '/spec/template/spec/containers/0/workingDir': ' lead' },
      { '/spec/template/metadata/finalizers': [] },
      { '/spec/template/metadata/name': 'sample' },
    ],
    kept: [
      [
        { '/spec/selector/matchExpressions/0/operator': 'Bogus' },
        [
          'spec.selector.matchExpressions[0].operator: Invalid value: "Bogus": not a valid selector operator',
          'spec.selector: Invalid value: <any>: invalid label selector',
          'spec.selector: Invalid value: <any>: field is immutable',
        ],
      ],
      [
        { '/spec/template/spec/containers/0/volumeDevices': [{}] },
        [
          'spec.template.spec.containers[0].volumeDevices[0].name: Required value',
          'spec.template.spec.containers[0].volumeDevices[0].name: Not found: ""',
          'spec.template.spec.containers[0].volumeDevices[0].devicePath: Required value',
        ],
      ],
      [
        {
          '/spec/template/spec/tolerations': [
            { key: 'sample', operator: 'Exists', value: 'sample', effect: 'NoSchedule' },
          ],
        },
        [
          "spec.template.spec.tolerations[0].operator: Invalid value: <any>: value must be empty when `operator` is 'Exists'",
        ],
      ],
      [
        { '/spec/strategy/type': 'naïve' },
        ['spec.strategy: Unsupported value: <any>: supported values: "Recreate", "RollingUpdate"'],
      ],
    ],
    statusChanged: [
      { '/status/conditions/0/status': 'UpperCase' },
      { '/status/unavailableReplicas': undefined },
      { '/status/conditions/0/reason': 'Not_Valid!' },
      {
        '/status/conditions': [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: '2020-01-01T00:00:00Z',
            reason: 'Because',
            message: 'all good',
            lastUpdateTime: '2020-01-01T00:00:00Z',
          },
          {
            type: 'Progressing',
            status: 'True',
            lastTransitionTime: '2020-01-01T00:00:00Z',
            reason: 'Because',
            message: 'all good',
            lastUpdateTime: '2020-01-01T00:00:00Z',
          },
          {},
        ],
      },
      { '/status/conditions/1/type': '-abc' },
      { '/status/collisionCount': 2147483647 },
      { '/status/conditions/1/message': 'a'.repeat(300) },
    ],
    statusKept: [
      [
        { '/status/readyReplicas': 2147483647 },
        ['status.readyReplicas: Invalid value: 2147483647: cannot be greater than status.replicas'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'dep-rich', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
        template: {
          metadata: { labels: { app: 'web', tier: 'front' } },
          spec: {
            initContainers: [
              {
                name: 'init',
                image: 'registry.example.com/web:1.2',
                command: ['sh', '-c', 'true'],
                resources: { limits: { cpu: '100m' } },
              },
            ],
            containers: [
              {
                name: 'main',
                image: 'registry.example.com/web:1.2',
                command: ['/bin/server'],
                args: ['--port', '8080'],
                workingDir: '/srv',
                ports: [
                  { name: 'http', containerPort: 8080, protocol: 'TCP' },
                  { name: 'metrics', containerPort: 9090, hostIP: '127.0.0.1' },
                ],
                envFrom: [
                  { prefix: 'CFG_', configMapRef: { name: 'settings', optional: true } },
                  { secretRef: { name: 'creds' } },
                ],
                env: [
                  { name: 'PLAIN', value: 'x' },
                  { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
                  {
                    name: 'CPU',
                    valueFrom: {
                      resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' },
                    },
                  },
                  {
                    name: 'FROMCM',
                    valueFrom: { configMapKeyRef: { name: 'settings', key: 'k', optional: false } },
                  },
                  { name: 'FROMSEC', valueFrom: { secretKeyRef: { name: 'creds', key: 'k' } } },
                ],
                resources: {
                  limits: { cpu: '500m', memory: '256Mi', 'example.com/gpu': '2' },
                  requests: { cpu: '250m', memory: '128Mi', 'ephemeral-storage': '1Gi' },
                },
                volumeMounts: [
                  { name: 'data', mountPath: '/data', subPath: 'sub', readOnly: true },
                  { name: 'tmp', mountPath: '/tmp', mountPropagation: 'HostToContainer' },
                  { name: 'tmp', mountPath: '/tmp2', subPathExpr: '$(PLAIN)' },
                ],
                livenessProbe: {
                  httpGet: {
                    path: '/live',
                    port: 'http',
                    scheme: 'HTTPS',
                    host: 'a.example.com',
                    httpHeaders: [{ name: 'X-A', value: 'b' }],
                  },
                  initialDelaySeconds: 5,
                  timeoutSeconds: 2,
                  periodSeconds: 11,
                  successThreshold: 1,
                  failureThreshold: 4,
                },
                readinessProbe: { exec: { command: ['cat', '/ok'] }, successThreshold: 2 },
                startupProbe: { tcpSocket: { port: 8080, host: 'h' }, failureThreshold: 30 },
                lifecycle: {
                  postStart: { exec: { command: ['true'] } },
                  preStop: { httpGet: { path: '/stop', port: 8080 } },
                },
                terminationMessagePath: '/dev/log',
                terminationMessagePolicy: 'FallbackToLogsOnError',
                imagePullPolicy: 'Always',
                securityContext: {
                  capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
                  privileged: false,
                  seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 's0' },
                  runAsUser: 1000,
                  runAsGroup: 2000,
                  runAsNonRoot: true,
                  readOnlyRootFilesystem: true,
                  allowPrivilegeEscalation: false,
                  procMount: 'Default',
                  seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' },
                },
                stdin: true,
                stdinOnce: true,
                tty: true,
              },
              {
                name: 'side',
                image: 'registry.example.com/web:1.2',
                volumeDevices: [{ name: 'block', devicePath: '/dev/xda' }],
              },
            ],
            volumes: [
              { name: 'data', persistentVolumeClaim: { claimName: 'claim', readOnly: true } },
              { name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
              { name: 'block', persistentVolumeClaim: { claimName: 'raw' } },
            ],
            restartPolicy: 'Always',
            terminationGracePeriodSeconds: 45,
            dnsPolicy: 'None',
            dnsConfig: {
              nameservers: ['1.1.1.1'],
              searches: ['a.example.com'],
              options: [{ name: 'ndots', value: '3' }, { name: 'edns0' }],
            },
            nodeSelector: { disk: 'ssd' },
            serviceAccountName: 'runner',
            automountServiceAccountToken: false,
            nodeName: 'node-1',
            shareProcessNamespace: true,
            securityContext: {
              seLinuxOptions: { level: 's1' },
              runAsUser: 1,
              runAsGroup: 2,
              runAsNonRoot: true,
              supplementalGroups: [3, 4],
              fsGroup: 5,
              sysctls: [{ name: 'net.ipv4.ip_forward', value: '1' }],
              fsGroupChangePolicy: 'OnRootMismatch',
              seccompProfile: { type: 'RuntimeDefault' },
            },
            imagePullSecrets: [{ name: 'pull' }],
            hostname: 'host',
            subdomain: 'sub',
            schedulerName: 'custom',
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [
                    {
                      matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }],
                      matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }],
                    },
                  ],
                },
                preferredDuringSchedulingIgnoredDuringExecution: [
                  { weight: 5, preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } },
                ],
              },
              podAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  {
                    labelSelector: {
                      matchLabels: { app: 'web' },
                      matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
                    },
                    topologyKey: 'zone',
                    namespaces: ['other'],
                  },
                ],
              },
              podAntiAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  {
                    weight: 10,
                    podAffinityTerm: {
                      labelSelector: { matchLabels: { app: 'web' } },
                      topologyKey: 'orch.io/hostname',
                    },
                  },
                ],
              },
            },
            tolerations: [
              {
                key: 'dedicated',
                operator: 'Equal',
                value: 'web',
                effect: 'NoExecute',
                tolerationSeconds: 60,
              },
              { operator: 'Exists' },
            ],
            hostAliases: [{ ip: '10.1.2.3', hostnames: ['a.local', 'b.local'] }],
            priorityClassName: '',
            readinessGates: [{ conditionType: 'example.com/ready' }],
            enableServiceLinks: false,
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'zone',
                whenUnsatisfiable: 'DoNotSchedule',
                labelSelector: { matchLabels: { app: 'web' } },
              },
            ],
          },
        },
      },
    },
    accepted: [
      { '/spec/template/spec/containers/0/volumeDevices': [] },
      {
        '/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0/values/1':
          undefined,
      },
      {
        '/spec/template/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/0/labelSelector/matchExpressions/0/values/1':
          undefined,
      },
      { '/spec/template/spec/setHostnameAsFQDN': true },
      { '/spec/template/spec/containers/0/args': ['a'.repeat(300)] },
      { '/spec/template/spec/terminationGracePeriodSeconds': 99999999999 },
      { '/spec/template/spec/containers/0/envFrom/1/secretRef/optional': true },
    ],
    refused: [
      [
        { '/spec/template/spec/containers/0/envFrom/1/prefix': ' lead' },
        [`spec.template.spec.containers[0].envFrom[1].prefix: Invalid value: " lead": ${envVarName}`],
      ],
      [
        { '/spec/template/spec/volumes/2/portworxVolume': {} },
        [
          'spec.template.spec.volumes[2].portworxVolume: Forbidden: may not specify more than 1 volume type',
          'spec.template.spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        { '/spec/template/spec/containers/0/lifecycle/postStart/httpGet': { port: 7 } },
        [
          'spec.template.spec.containers[0].lifecycle.postStart.httpGet: Forbidden: may not specify more than 1 handler type',
        ],
      ],
      [
        { '/spec/template/spec/volumes/2/name': 'naïve' },
        [
          `spec.template.spec.volumes[2].name: Invalid value: "naïve": ${label1123}`,
          'spec.template.spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        { '/spec/template/spec/initContainers/0/resources/requests': { '': '1500m' } },
        [
          'spec.template.spec.initContainers[0].resources.requests[]: Invalid value: "": name part must be non-empty',
          `spec.template.spec.initContainers[0].resources.requests[]: Invalid value: "": ${qualifiedPart}`,
          'spec.template.spec.initContainers[0].resources.requests[]: Invalid value: "": must be a standard resource for containers',
        ],
      ],
      [
        { '/spec/template/metadata/annotations': { ['a'.repeat(64)]: 'sample' } },
        [
          `spec.template.annotations: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`,
        ],
      ],
      [
        { '/spec/template/spec/hostname': 'a/b' },
        [`spec.template.spec.hostname: Invalid value: "a/b": ${label1123}`],
      ],
      [
        { '/spec/template/spec/securityContext/seccompProfile/type': 'a'.repeat(300) },
        [
          `spec.template.spec.securityContext.seccompProfile.type: Unsupported value: "${'a'.repeat(300)}": supported values: "Localhost", "RuntimeDefault", "Unconfined"`,
        ],
      ],
      [
        { '/spec/template/spec/tolerations/0/value': 'a'.repeat(300) },
        [
          `spec.template.spec.tolerations[0].operator: Invalid value: "${'a'.repeat(300)}": must be no more than 63 characters`,
        ],
      ],
      [
        { '/spec/template/spec/volumes/2/downwardAPI': { noSuchField: { a: [1] } } },
        [
          'spec.template.spec.volumes[2].downwarAPI: Forbidden: may not specify more than 1 volume type',
          'spec.template.spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        { '/spec/template/spec/containers/0/env/3/value': ' lead' },
        [
          'spec.template.spec.containers[0].env[3].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
        ],
      ],
      [
        { '/spec/template/spec/containers/1/terminationMessagePolicy': ' lead' },
        [
          "spec.template.spec.containers[1].terminationMessagePolicy: Invalid value: \" lead\": must be 'File' or 'FallbackToLogsOnError'",
        ],
      ],
      [
        {
          '/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values':
            undefined,
        },
        [
          "spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        ],
      ],
      [
        { '/spec/template/spec/initContainers/0/imagePullPolicy': ' lead' },
        [
          'spec.template.spec.initContainers[0].imagePullPolicy: Unsupported value: " lead": supported values: "Always", "IfNotPresent", "Never"',
        ],
      ],
      [
        {
          '/spec/template/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/preference/matchExpressions/0/values':
            ['Not_Valid!', '-x'],
        },
        [
          "spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ],
      ],
      [
        {
          '/spec/template/spec/volumes/0/azureDisk': {},
          '/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/operator':
            ' lead',
          '/spec/template/spec/hostAliases/0/hostnames': ['a.local', 'b.local', ''],
        },
        [
          'spec.template.spec.volumes[0].azureDisk: Forbidden: may not specify more than 1 volume type',
          'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
          'spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator: Invalid value: " lead": not a valid selector operator',
          `spec.template.spec.hostAliases.hostnames: Invalid value: "": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/template/spec/containers/0/env/1/valueFrom/resourceFieldRef': {} },
        [
          'spec.template.spec.containers[0].env[1].valueFrom.resourceFieldRef.resource: Required value',
          'spec.template.spec.containers[0].env[1].valueFrom: Invalid value: "": may not have more than one field specified at a time',
        ],
      ],
    ],
  },
];
