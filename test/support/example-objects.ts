import { globSync } from 'node:fs';
import type { JsonObject } from './api-client.ts';

/** Versions whose objects look like those of another version. */
const alike: Readonly<Record<string, string>> = {
  'batch/v2alpha1 CronJob': 'batch/v1beta1 CronJob',
  'node.orch.io/v1beta1 RuntimeClass': 'node.orch.io/v1 RuntimeClass',
  'scheduling.orch.io/v1alpha1 PriorityClass': 'scheduling.orch.io/v1 PriorityClass',
  'storage.orch.io/v1alpha1 VolumeAttachment': 'storage.orch.io/v1beta1 VolumeAttachment',
  ...Object.fromEntries(
    ['FlowSchema', 'PriorityLevelConfiguration'].map((kind) => [
      `flowcontrol.apiserver.orch.io/v1alpha1 ${kind}`,
      `flowcontrol.apiserver.orch.io/v1beta1 ${kind}`,
    ]),
  ),
  ...Object.fromEntries(
    ['ClusterRole', 'Role'].map((kind) => [
      `rbac.authorization.orch.io/v1alpha1 ${kind}`,
      `rbac.authorization.orch.io/v1 ${kind}`,
    ]),
  ),
};
const roleRef = { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' };
const others: Readonly<Record<string, JsonObject>> = {
  'internal.apiserver.orch.io/v1alpha1 StorageVersion': {
    metadata: { name: 'apps.deployments' },
    spec: {},
    status: {},
  },
  'node.orch.io/v1alpha1 RuntimeClass': { spec: { runtimeHandler: 'h' } },
  'rbac.authorization.orch.io/v1alpha1 ClusterRoleBinding': { roleRef },
  'rbac.authorization.orch.io/v1alpha1 RoleBinding': { roleRef },
};

/** A valid object of every built-in kind in every version, by `apiVersion kind`: those that the rules of kinds are tested with. */
export async function loadExamples(): Promise<ReadonlyMap<string, JsonObject>> {
  const examples = new Map<string, JsonObject>();
  for (const file of globSync('test/unit/apis/**/*-writes.ts').sort()) {
    const loaded: Record<string, unknown> = await import(`../../${file}`);
    // Such a file exports lists of cases and nothing else.
    for (const list of Object.values(loaded) as { readonly body: JsonObject }[][]) {
      for (const { body } of list) {
        const key = `${body.apiVersion} ${body.kind}`;
        if (!examples.has(key)) examples.set(key, body);
      }
    }
  }
  for (const [key, other] of Object.entries(alike)) examples.set(key, examples.get(other) ?? {});
  for (const [key, body] of Object.entries(others)) examples.set(key, body);
  for (const [key, body] of examples) {
    const [apiVersion, kind] = key.split(' ');
    examples.set(key, { ...body, apiVersion, kind, metadata: { name: 'a', ...body.metadata } });
  }
  return examples;
}
