import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const roleBindingWrites: readonly WriteCases[] = [
{
body: {"apiVersion": "rbac.authorization.orch.io/v1", "kind": "RoleBinding", "metadata": {"name": "rb-v1", "labels": {"app": "web"}, "annotations": {"note": "one"}}, "subjects": [{"kind": "User", "name": "jane", "apiGroup": "rbac.authorization.orch.io"}, {"kind": "Group", "name": "devs"}, {"kind": "ServiceAccount", "name": "sa", "namespace": "default"}], "roleRef": {"apiGroup": "rbac.authorization.orch.io", "kind": "ClusterRole", "name": "view"}},
changed: [{"/subjects/0/name": "changed"},
{"/subjects/2/namespace": "a/b"},
{"/subjects/0/namespace": "sample"}],
},
{
body: {"apiVersion": "rbac.authorization.orch.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "crb-v1", "labels": {"app": "web"}, "annotations": {"note": "one"}}, "subjects": [{"kind": "User", "name": "jane", "apiGroup": "rbac.authorization.orch.io"}, {"kind": "Group", "name": "devs"}, {"kind": "ServiceAccount", "name": "sa", "namespace": "default"}], "roleRef": {"apiGroup": "rbac.authorization.orch.io", "kind": "ClusterRole", "name": "view"}},
changed: [{"/subjects/2/namespace": "-abc"},
{"/subjects/1/name": " lead"},
{"/subjects/1/namespace": "changed"}],
},
{
body: {"apiVersion": "rbac.authorization.orch.io/v1beta1", "kind": "RoleBinding", "metadata": {"name": "rb-v1beta1", "labels": {"app": "web"}, "annotations": {"note": "one"}}, "subjects": [{"kind": "User", "name": "jane", "apiGroup": "rbac.authorization.orch.io"}, {"kind": "Group", "name": "devs"}, {"kind": "ServiceAccount", "name": "sa", "namespace": "default"}], "roleRef": {"apiGroup": "rbac.authorization.orch.io", "kind": "ClusterRole", "name": "view"}},
changed: [{"/subjects": [{"kind": "User", "name": "jane", "apiGroup": "rbac.authorization.orch.io"}]},
{"/roleRef": {"apiGroup": "rbac.authorization.orch.io", "kind": "ClusterRole", "name": "view", "noSuchField": {"a": [1]}}}],
},
{
body: {"apiVersion": "rbac.authorization.orch.io/v1beta1", "kind": "ClusterRoleBinding", "metadata": {"name": "crb-v1beta1", "labels": {"app": "web"}, "annotations": {"note": "one"}}, "subjects": [{"kind": "User", "name": "jane", "apiGroup": "rbac.authorization.orch.io"}, {"kind": "Group", "name": "devs"}, {"kind": "ServiceAccount", "name": "sa", "namespace": "default"}], "roleRef": {"apiGroup": "rbac.authorization.orch.io", "kind": "ClusterRole", "name": "view"}},
changed: [{"/subjects/0/apiGroup": ""},
{"/subjects/2/namespace": "naïve"}],
},
];
