import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const roleWrites: readonly WriteCases[] = [
{
body: {"apiVersion": "rbac.authorization.orch.io/v1", "kind": "Role", "metadata": {"name": "role-v1", "labels": {"app": "web"}, "annotations": {"note": "one"}}, "rules": [{"verbs": ["get", "list"], "apiGroups": [""], "resources": ["pods", "pods/log"], "resourceNames": ["a"]}, {"verbs": ["*"], "apiGroups": ["apps"], "resources": ["*"]}]},
changed: [{"/rules/0/resources/1": "a/b"},
{"/rules/0/resourceNames": [null]},
{"/rules/0/resources/0": "naïve"}],
},
{
body: {"apiVersion": "rbac.authorization.orch.io/v1beta1", "kind": "Role", "metadata": {"name": "role-v1beta1", "labels": {"app": "web"}, "annotations": {"note": "one"}}, "rules": [{"verbs": ["get", "list"], "apiGroups": [""], "resources": ["pods", "pods/log"], "resourceNames": ["a"]}, {"verbs": ["*"], "apiGroups": ["apps"], "resources": ["*"]}]},
changed: [{"/rules/1/verbs/0": "UpperCase"}],
},
{
body: {"apiVersion": "rbac.authorization.orch.io/v1beta1", "kind": "ClusterRole", "metadata": {"name": "crole-v1beta1", "labels": {"app": "web"}, "annotations": {"note": "one"}}, "rules": [{"verbs": ["get"], "nonResourceURLs": ["/healthz", "/metrics/*"]}, {"verbs": ["get"], "apiGroups": [""], "resources": ["nodes"]}], "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["front", "back"]}]}]}},
changed: [{"/rules/0/nonResourceURLs": ["/healthz"]}],
},
];
