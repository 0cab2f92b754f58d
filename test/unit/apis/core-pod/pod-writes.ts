import type { WriteCases } from '../write-cases.ts';
import { envVarName, label1123, qualifiedPart, subdomain1123 } from './wording.ts';

/** What new and changed objects of this kind may say. */
export const podWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'pod-a', labels: { app: 'web' }, annotations: { note: 'one' } },
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
          { key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoExecute', tolerationSeconds: 60 },
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
        activeDeadlineSeconds: 600,
      },
    },
    status: {
      phase: 'Running',
      conditions: [
        { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2020-01-01T00:00:00Z' },
        { type: 'PodScheduled', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' },
      ],
      message: 'm',
      reason: 'R',
      nominatedNodeName: 'n2',
      hostIP: '192.168.1.1',
      podIP: '10.244.0.5',
      podIPs: [{ ip: '10.244.0.5' }],
      startTime: '2020-01-01T00:00:00Z',
      qosClass: 'Burstable',
      initContainerStatuses: [
        {
          name: 'init',
          state: {
            terminated: {
              exitCode: 0,
              reason: 'Completed',
              startedAt: '2020-01-01T00:00:00Z',
              finishedAt: '2020-01-01T00:00:01Z',
              containerID: 'cri://i',
            },
          },
          ready: true,
          restartCount: 0,
          image: 'i',
          imageID: 'x',
        },
      ],
      containerStatuses: [
        {
          name: 'main',
          state: { running: { startedAt: '2020-01-01T00:00:02Z' } },
          lastState: {
            terminated: {
              exitCode: 1,
              signal: 9,
              reason: 'Error',
              message: 'oops',
              startedAt: '2020-01-01T00:00:00Z',
              finishedAt: '2020-01-01T00:00:01Z',
            },
          },
          ready: true,
          restartCount: 3,
          image: 'i',
          imageID: 'x',
          containerID: 'cri://m',
          started: true,
        },
        {
          name: 'side',
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
          ready: false,
          restartCount: 1,
          image: 'i',
          imageID: '',
        },
      ],
    },
    accepted: [
      { '/spec/affinity/nodeAffinity': undefined },
      { '/spec/containers/0/volumeMounts/1/readOnly': true },
      { '/spec/containers/0/livenessProbe/initialDelaySeconds': 1 },
      { '/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/0/topologyKey': 'a/b' },
      { '/spec/containers/0/startupProbe/failureThreshold': 2147483647 },
      { '/spec/containers/1/tty': true },
      { '/spec/containers/1/workingDir': 'sample' },
      { '/spec/initContainers/0/image': 'UpperCase' },
      { '/spec/serviceAccount': 'naïve' },
      {
        '/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/preference/matchFields':
          [],
      },
      { '/spec/volumes/1/ephemeral': {} },
      { '/spec/containers/0/securityContext/seLinuxOptions/level': 'changed' },
      { '/spec/restartPolicy': undefined },
      { '/spec/containers/1/command': ['Not_Valid!', '-x'] },
      { '/spec/containers/0/volumeMounts/2/mountPath': '-abc' },
      { '/spec/containers/0/securityContext/capabilities/add/0': 'Not_Valid!' },
      {
        '/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/podAffinityTerm/labelSelector/matchExpressions':
          [],
      },
      {
        '/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/podAffinityTerm/topologyKey':
          'a/b',
      },
      {
        '/spec/containers/0/securityContext/capabilities': {
          add: ['NET_ADMIN'],
          drop: ['ALL'],
          noSuchField: { a: [1] },
        },
      },
      { '/spec/containers/0/command/0': 'UpperCase' },
      { '/spec/containers/0/livenessProbe/httpGet/httpHeaders/0/value': '' },
      { '/spec/securityContext/seLinuxOptions/type': 'changed' },
      { '/spec/securityContext/supplementalGroups': [null] },
      { '/spec/containers/0/lifecycle/preStop/httpGet/host': 'a'.repeat(300) },
      { '/spec/containers/0/lifecycle/postStart': undefined },
      { '/spec/volumes/2/persistentVolumeClaim/claimName': 'UpperCase' },
      { '/spec/containers/0/startupProbe/tcpSocket/host': ' lead' },
      {
        '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0/values':
          ['a b', ' '],
      },
      { '/spec/volumes/2/persistentVolumeClaim': { claimName: 'raw', noSuchField: { a: [1] } } },
      { '/spec/initContainers/0/stdinOnce': true },
      { '/spec/containers/0/securityContext': undefined },
      { '/spec/containers/1/resources': {} },
      { '/spec/ephemeralContainers': [{}] },
      { '/spec/containers/1/stdinOnce': true },
      { '/spec/containers/0/securityContext/allowPrivilegeEscalation': undefined },
      { '/spec/initContainers/0/command': ['a'.repeat(300)] },
      { '/spec/containers/0/securityContext/capabilities/drop/0': '-abc' },
      { '/spec/containers/0/image': 'changed' },
      { '/spec/containers/0/livenessProbe/httpGet/host': 'Not_Valid!' },
      { '/spec/containers/0/env/2/valueFrom/resourceFieldRef/containerName': 'UpperCase' },
      { '/spec/dnsConfig/options/1/value': '' },
      { '/spec/initContainers/0/command/2': 'a/b' },
    ],
    refused: [
      [
        { '/spec/tolerations/1/operator': 'Not_Valid!' },
        [
          'spec.tolerations[1].operator: Invalid value: "Not_Valid!": operator must be Exists when `key` is empty, which means "match all values and all keys"',
          'spec.tolerations[1].operator: Unsupported value: "Not_Valid!": supported values: "Equal", "Exists"',
        ],
      ],
      [
        {
          '/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/podAffinityTerm':
            {},
        },
        [
          'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Required value: can not be empty',
          'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: "": name part must be non-empty',
          `spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/spec/containers/0/volumeMounts/2/name': 'a/b' },
        ['spec.containers[0].volumeMounts[2].name: Not found: "a/b"'],
      ],
      [
        { '/spec/containers/0/ports/1/name': 'UpperCase' },
        [
          'spec.containers[0].ports[1].name: Invalid value: "UpperCase": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        ],
      ],
      [
        { '/spec/containers/0/resources/requests': { [`${'a'.repeat(260)}/a`]: '1500m' } },
        [
          `spec.containers[0].resources.requests[${'a'.repeat(260)}/a]: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
          `spec.containers[0].resources.requests[${'a'.repeat(260)}/a]: Invalid value: "${'a'.repeat(260)}/a": doesn't follow extended resource name standard`,
          'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
        ],
      ],
      [
        {
          '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0/operator':
            'in',
        },
        [
          'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: "in": not a valid selector operator',
        ],
      ],
      [
        { '/spec/containers/0/env/2/value': 'a'.repeat(300) },
        [
          'spec.containers[0].env[2].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
        ],
      ],
      [
        { '/spec/volumes/2/photonPersistentDisk': { pdID: 'sample' } },
        [
          'spec.volumes[2].photonPersistentDisk: Forbidden: may not specify more than 1 volume type',
          'spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        { '/spec/containers/0/volumeMounts/0/mountPropagation': 'none' },
        [
          'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "none": supported values: "Bidirectional", "HostToContainer", "None"',
        ],
      ],
      [
        {
          '/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/0/labelSelector/matchExpressions/0/values':
            [],
        },
        [
          "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchExpressions.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ],
      ],
      [
        { '/spec/containers/0/env/0/valueFrom': { noSuchField: { a: [1] } } },
        [
          'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
        ],
      ],
      [{ '/spec/containers/0/image': '' }, ['spec.containers[0].image: Required value']],
      [
        {
          '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/operator':
            'a/b',
        },
        [
          'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator: Invalid value: "a/b": not a valid selector operator',
        ],
      ],
      [
        { '/spec/containers/0/volumeMounts/1/subPathExpr': '/abs' },
        ['spec.containers[0].volumeMounts.subPathExpr: Invalid value: "/abs": must be a relative path'],
      ],
      [
        { '/spec/securityContext/sysctls/0/name': 'Not_Valid!' },
        [
          'spec.securityContext.sysctls[0].name: Invalid value: "Not_Valid!": must have at most 253 characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?',
        ],
      ],
      [
        { '/spec/containers/0/envFrom/1/prefix': 'Not_Valid!' },
        [`spec.containers[0].envFrom[1].prefix: Invalid value: "Not_Valid!": ${envVarName}`],
      ],
      [
        { '/spec/containers/0/securityContext/seccompProfile/type': 'Bogus' },
        [
          'spec.containers[0].securityContext.seccompProfile.type: Unsupported value: "Bogus": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
          'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: <any>: can only be set when seccomp type is Localhost',
        ],
      ],
      [
        { '/spec/containers/0/imagePullPolicy': '../x' },
        [
          'spec.containers[0].imagePullPolicy: Unsupported value: "../x": supported values: "Always", "IfNotPresent", "Never"',
        ],
      ],
      [
        { '/spec/containers/0/startupProbe/tcpSocket/port': -1 },
        [
          'spec.containers[0].startupProbe.tcpSocket.port: Invalid value: -1: must be between 1 and 65535, inclusive',
        ],
      ],
      [
        { '/spec/volumes/0/photonPersistentDisk': { noSuchField: { a: [1] } } },
        [
          'spec.volumes[0].photonPersistentDisk: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[0].name: Not found: "data"',
        ],
      ],
      [
        { '/spec/securityContext/supplementalGroups/1': -1 },
        [
          'spec.securityContext.supplementalGroups[1]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        ],
      ],
      [
        { '/spec/hostAliases/0/hostnames/0': 'Not_Valid!' },
        [`spec.hostAliases.hostnames: Invalid value: "Not_Valid!": ${subdomain1123}`],
      ],
      [
        { '/spec/volumes/1/nfs': {} },
        [
          'spec.volumes[1].nfs: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          'spec.containers[0].volumeMounts[2].name: Not found: "tmp"',
        ],
      ],
      [
        { '/spec/containers/0/env/2/valueFrom/configMapKeyRef': {} },
        [
          `spec.containers[0].env[2].valueFrom.configMapKeyRef.name: Invalid value: "": ${subdomain1123}`,
          'spec.containers[0].env[2].valueFrom.configMapKeyRef.key: Required value',
          'spec.containers[0].env[2].valueFrom: Invalid value: "": may not have more than one field specified at a time',
        ],
      ],
      [
        { '/spec/containers/0/envFrom/0/configMapRef': undefined },
        ['spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`'],
      ],
      [
        { '/spec/containers/0/env/4/name': 'Not_Valid!' },
        [`spec.containers[0].env[4].name: Invalid value: "Not_Valid!": ${envVarName}`],
      ],
      [
        { '/spec/containers/0/env/2/valueFrom/resourceFieldRef/resource': 'a'.repeat(300) },
        [
          `spec.containers[0].env[2].valueFrom.resourceFieldRef.resource: Unsupported value: "${'a'.repeat(300)}": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"`,
        ],
      ],
      [
        { '/spec/containers/1/startupProbe': {} },
        ['spec.containers[1].startupProbe: Required value: must specify a handler type'],
      ],
      [
        {
          '/spec/securityContext/sysctls': [
            { name: 'net.ipv4.ip_forward', value: '1' },
            { name: 'net.ipv4.ip_forward', value: '1' },
          ],
        },
        ['spec.securityContext.sysctls[1].name: Duplicate value: "net.ipv4.ip_forward"'],
      ],
      [
        { '/spec/volumes/2/cinder': { volumeID: 'sample' } },
        [
          'spec.volumes[2].cinder: Forbidden: may not specify more than 1 volume type',
          'spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        {
          '/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/preference/matchExpressions/0/operator':
            'a/b',
        },
        [
          'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].operator: Invalid value: "a/b": not a valid selector operator',
        ],
      ],
      [
        { '/spec/containers/0/envFrom/0/configMapRef/name': 'a'.repeat(254) },
        [
          `spec.containers[0].envFrom[0].configMapRef.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`,
        ],
      ],
      [
        {
          '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values':
            ['n1', ''],
        },
        [
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
          `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[1]: Invalid value: "": ${subdomain1123}`,
        ],
      ],
      [{ '/spec/initContainers/0/env': [{}] }, ['spec.initContainers[0].env[0].name: Required value']],
      [
        { '/spec/volumes/0/secret': { noSuchField: { a: [1] } } },
        [
          'spec.volumes[0].secret.secretName: Required value',
          'spec.volumes[0].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[0].name: Not found: "data"',
        ],
      ],
      [
        { '/spec/containers/0/ports/0/hostPort': -1 },
        ['spec.containers[0].ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive'],
      ],
      [
        { '/spec/volumes/2/glusterfs': { endpoints: 'sample', path: 'sample' } },
        [
          'spec.volumes[2].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type',
          'spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        { '/spec/volumes/0/rbd': {} },
        [
          'spec.volumes[0].rbd: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[0].name: Not found: "data"',
        ],
      ],
      [{ '/spec': undefined }, ['spec.containers: Required value']],
      [
        { '/spec/volumes/2/gitRepo': { noSuchField: { a: [1] } } },
        [
          'spec.volumes[2].gitRepo.repository: Required value',
          'spec.volumes[2].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type',
          'spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        { '/spec/containers/0/volumeMounts': [null] },
        [
          'spec.containers[0].volumeMounts[0].name: Required value',
          'spec.containers[0].volumeMounts[0].name: Not found: ""',
          'spec.containers[0].volumeMounts[0].mountPath: Required value',
        ],
      ],
      [
        { '/spec/volumes/1/persistentVolumeClaim': { claimName: 'sample' } },
        [
          'spec.volumes[1].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          'spec.containers[0].volumeMounts[2].name: Not found: "tmp"',
        ],
      ],
      [
        { '/spec/volumes/1/hostPath': { noSuchField: { a: [1] } } },
        [
          'spec.volumes[1].hostPath: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          'spec.containers[0].volumeMounts[2].name: Not found: "tmp"',
        ],
      ],
      [
        { '/spec/containers/0/lifecycle/preStop/tcpSocket': {} },
        [
          'spec.containers[0].lifecycle.preStop.tcpSocket: Forbidden: may not specify more than 1 handler type',
        ],
      ],
      [
        { '/spec/initContainers/0/startupProbe': {} },
        [
          'spec.initContainers[0].startupProbe: Required value: must specify a handler type',
          'spec.initContainers[0].startupProbe: Invalid value: <any>: must not be set for init containers',
        ],
      ],
      [
        { '/spec/volumes/2/downwardAPI': {} },
        [
          'spec.volumes[2].downwarAPI: Forbidden: may not specify more than 1 volume type',
          'spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        { '/spec/volumes/1/azureFile': { secretName: 'sample', shareName: 'sample' } },
        [
          'spec.volumes[1].azureFile: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          'spec.containers[0].volumeMounts[2].name: Not found: "tmp"',
        ],
      ],
      [
        { '/spec/volumes/2/azureFile': { secretName: 'sample', shareName: 'sample' } },
        [
          'spec.volumes[2].azureFile: Forbidden: may not specify more than 1 volume type',
          'spec.containers[1].volumeDevices[0].name: Not found: "block"',
        ],
      ],
      [
        {
          '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/key':
            'Not_Valid!',
        },
        [
          'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key: Invalid value: "Not_Valid!": not a valid field selector key',
        ],
      ],
      [
        { '/spec/securityContext/seccompProfile/localhostProfile': 'UpperCase' },
        [
          'spec.securityContext.seccompProfile.localhostProfile: Invalid value: <any>: can only be set when seccomp type is Localhost',
        ],
      ],
      [
        { '/spec/containers/0/volumeMounts/0/name': undefined },
        [
          'spec.containers[0].volumeMounts[0].name: Required value',
          'spec.containers[0].volumeMounts[0].name: Not found: ""',
        ],
      ],
      [{ '/metadata/name': 'Not_Valid!' }, [`metadata.name: Invalid value: "Not_Valid!": ${subdomain1123}`]],
      [
        { '/spec/containers/1/terminationMessagePolicy': '-abc' },
        [
          "spec.containers[1].terminationMessagePolicy: Invalid value: \"-abc\": must be 'File' or 'FallbackToLogsOnError'",
        ],
      ],
      [
        { '/spec/containers/0/ports/0/containerPort': -1 },
        [
          'spec.containers[0].ports[0].containerPort: Invalid value: -1: must be between 1 and 65535, inclusive',
        ],
      ],
      [
        { '/spec/containers/0/resources/requests': { ['a'.repeat(64)]: '1500m' } },
        [
          `spec.containers[0].resources.requests[${'a'.repeat(64)}]: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`,
          `spec.containers[0].resources.requests[${'a'.repeat(64)}]: Invalid value: "${'a'.repeat(64)}": must be a standard resource for containers`,
        ],
      ],
      [
        { '/spec/initContainers/0/resources/requests': { foo: '1' } },
        [
          'spec.initContainers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
          'spec.initContainers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers',
        ],
      ],
      [
        { '/metadata/finalizers': [null] },
        [
          'metadata.finalizers: Invalid value: "": name part must be non-empty',
          `metadata.finalizers: Invalid value: "": ${qualifiedPart}`,
          'metadata.finalizers[0]: Invalid value: "": name is neither a standard finalizer name nor is it fully qualified',
        ],
      ],
      [
        { '/spec/volumes/1/fc': {} },
        [
          'spec.volumes[1].fc: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          'spec.containers[0].volumeMounts[2].name: Not found: "tmp"',
        ],
      ],
      [
        { '/spec/topologySpreadConstraints/0/whenUnsatisfiable': '' },
        [
          'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
        ],
      ],
      [
        { '/spec/containers/0/volumeMounts/2/name': 'a'.repeat(254), '/spec/volumes/1/secret': {} },
        [
          'spec.volumes[1].secret: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          `spec.containers[0].volumeMounts[2].name: Not found: "${'a'.repeat(254)}"`,
        ],
      ],
      [
        {
          '/spec/containers/0/env/1/valueFrom': {},
          '/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/0/topologyKey': '',
          '/spec/volumes/2/secret': {},
        },
        [
          'spec.volumes[2].secret.secretName: Required value',
          'spec.volumes[2].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].env[1].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
          'spec.containers[1].volumeDevices[0].name: Not found: "block"',
          'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
          'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
          `spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/spec/containers/0/env/1/valueFrom/configMapKeyRef': { key: 'sample' } },
        [
          `spec.containers[0].env[1].valueFrom.configMapKeyRef.name: Invalid value: "": ${subdomain1123}`,
          'spec.containers[0].env[1].valueFrom: Invalid value: "": may not have more than one field specified at a time',
        ],
      ],
      [
        {
          '/spec/securityContext/seccompProfile/type': 'UpperCase',
          '/spec/containers/0/envFrom/1/secretRef': {},
          '/spec/tolerations/1/value': ' lead',
        },
        [
          'spec.containers[0].envFrom[1].secretRef.name: Required value',
          'spec.securityContext.seccompProfile.type: Unsupported value: "UpperCase": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
          "spec.tolerations[1].operator: Invalid value: <any>: value must be empty when `operator` is 'Exists'",
        ],
      ],
    ],
    changed: [
      { '/spec/containers/0/ports/0/hostPort': 0 },
      { '/spec/containers/0/image': 'naïve' },
      { '/spec/volumes/1/ephemeral': {} },
    ],
    kept: [
      [
        { '/spec/topologySpreadConstraints/0/maxSkew': 70000 },
        [
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/containers/0/env/4/valueFrom/fieldRef': { noSuchField: { a: [1] } } },
        [
          'spec.containers[0].env[4].valueFrom.fieldRef.fieldPath: Required value',
          'spec.containers[0].env[4].valueFrom: Invalid value: "": may not have more than one field specified at a time',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/volumes/2/nfs': {} },
        [
          'spec.volumes[2].nfs.server: Required value',
          'spec.volumes[2].nfs.path: Required value',
          'spec.volumes[2].nfs.path: Invalid value: "": must be an absolute path',
          'spec.volumes[2].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type',
          'spec.containers[1].volumeDevices[0].name: Not found: "block"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/hostPID': true },
        [
          'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/containers/0/volumeMounts/0/mountPropagation': 'Bidirectional' },
        [
          'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/tolerations/0/effect': 'UpperCase' },
        [
          'spec.tolerations[0].effect: Invalid value: "UpperCase": effect must be \'NoExecute\' when `tolerationSeconds` is set',
          'spec.tolerations[0].effect: Unsupported value: "UpperCase": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
          'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
        ],
      ],
      [
        { '/spec/subdomain': '../x' },
        [
          `spec.subdomain: Invalid value: "../x": ${label1123}`,
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/initContainers/0/name': 'a'.repeat(253) },
        [
          `spec.initContainers[0].name: Invalid value: "${'a'.repeat(253)}": must be no more than 63 characters`,
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/volumes/1/azureDisk': { diskName: 'sample', diskURI: 'sample' } },
        [
          'spec.volumes[1].azureDisk: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          'spec.containers[0].volumeMounts[2].name: Not found: "tmp"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/containers/0/volumeMounts/2/mountPropagation': ' lead' },
        [
          'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: " lead": supported values: "Bidirectional", "HostToContainer", "None"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/containers/0/startupProbe/successThreshold': 7 },
        [
          'spec.containers[0].startupProbe.successThreshold: Invalid value: 7: must be 1',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/volumes/1/glusterfs': {} },
        [
          'spec.volumes[1].glusterfs: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          'spec.containers[0].volumeMounts[2].name: Not found: "tmp"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        {
          '/spec/containers/0/ports': [
            { name: 'http', containerPort: 8080, protocol: 'TCP' },
            { name: 'metrics', containerPort: 9090, hostIP: '127.0.0.1' },
            { name: 'http', containerPort: 8080, protocol: 'TCP' },
          ],
        },
        [
          'spec.containers[0].ports[2].name: Duplicate value: "http"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/volumes/0/rbd': {} },
        [
          'spec.volumes[0].rbd: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[0].name: Not found: "data"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/containers/1/volumeDevices/0/name': 'a/b' },
        [
          'spec.containers[1].volumeDevices[0].name: Not found: "a/b"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        { '/spec/volumes/1/rbd': { monitors: ['sample'], image: 'sample' } },
        [
          'spec.volumes[1].rbd: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[1].name: Not found: "tmp"',
          'spec.containers[0].volumeMounts[2].name: Not found: "tmp"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
      [
        {
          '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0/operator':
            ' lead',
        },
        [
          'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: " lead": not a valid selector operator',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
    ],
    statusChanged: [
      { '/status/containerStatuses/0/state/terminated': {} },
      { '/status/reason': '../x' },
      { '/status/containerStatuses/0/lastState/terminated/reason': 'a/b' },
      { '/status/initContainerStatuses/0/state/terminated/exitCode': 2147483647 },
      { '/status/conditions/0/type': 'a/b' },
      { '/status/containerStatuses/0/name': 'UpperCase' },
      { '/status/initContainerStatuses/0/imageID': 'Not_Valid!' },
      { '/spec/containers/0/env/4/valueFrom/secretKeyRef/name': 'changed' },
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'pod-small', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
    },
    kept: [
      [
        { '/spec/preemptionPolicy': 'Not_Valid!' },
        [
          'spec.preemptionPolicy: Unsupported value: "Not_Valid!": supported values: "PreemptLowerPriority", "Never"',
          'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n<any>',
        ],
      ],
    ],
  },
];
