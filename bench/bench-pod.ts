/** Where the pods of the benchmark live. */
export const podsPath = '/api/v1/namespaces/default/pods';

/** Share of the pods that the label selector finds: one of so many. */
export const selectedEvery = 10;
/** Nodes that the pods are spread over. */
export const nodeCount = 50;

/** A pod of ordinary size, about 2.6 kB as it is answered, half of it the record of owners. */
export function benchPod(name: string, index: number): object {
  const label = index % selectedEvery === 0 ? 'front' : 'back';
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      labels: { app: 'bench', tier: label, instance: `bench-${index % 50}`, release: 'stable' },
      annotations: {
        'example.org/config-checksum': '0123456789abcdef'.repeat(4),
        'example.org/revision': '0',
      },
    },
    spec: {
      nodeName: `node-${index % nodeCount}`,
      containers: [
        {
          name: 'main',
          image: 'registry.example.org/team/application:1.42.7',
          args: ['--listen=:8080', '--log-level=info', '--database=db.default.svc:5432'],
          env: [{ name: 'SETTING', value: 'value of the setting' }],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
          readinessProbe: { httpGet: { path: '/readyz', port: 8080 }, periodSeconds: 5 },
          volumeMounts: [{ name: 'config', mountPath: '/etc/application' }],
        },
      ],
      volumes: [{ name: 'config', configMap: { name: 'application-config' } }],
      terminationGracePeriodSeconds: 30,
    },
  };
}
