/**
 * What a decision costs with 10,000 bindings, in this process: CPU time of the chain of authorizers that every request
 * passes, for members of the privileged group and for others.
 */
import { orchDialect } from '../src/machinery/dialect.ts';
import type { ResourceStore } from '../src/registry/index.ts';
import {
  type AuthorizationQuestion,
  authorizersFor,
  FollowedGraph,
  NodeAuthorizer,
} from '../src/server/authorization/index.ts';
import { RbacAuthorizer } from '../src/server/authorization/rbac/index.ts';

/** CPU time of one decision, in microseconds. */
export interface DecisionFigures {
  readonly name: string;
  readonly cpuMicros: number;
}

const bindings = 10_000;
const namespaces = 500;
const roles = 50;
const decisions = 400_000;

const group = orchDialect.group('rbac.authorization');
const roleRef = (index: number) => ({ apiGroup: group, kind: 'ClusterRole', name: `role-${index % roles}` });

/** 10,000 bindings of 50 roles of ten rules in 500 namespaces, to users, groups and service accounts. */
function accessObjects(): ReadonlyMap<string, readonly object[]> {
  const rule = (index: number) => ({
    apiGroups: ['', 'apps'],
    resources: [`kind-${index}`, 'pods', 'configmaps'],
    verbs: index % 2 === 0 ? ['get', 'list', 'watch'] : ['update'],
  });
  const role = (index: number) => ({
    metadata: { name: `role-${index}` },
    rules: Array.from({ length: 10 }, (_, at) => rule(at)),
  });
  const binding = (index: number) => ({
    metadata: { namespace: `ns-${index % namespaces}`, name: `binding-${index}` },
    roleRef: roleRef(index),
    subjects: [
      { kind: 'User', name: `user-${index % 2000}` },
      { kind: 'Group', name: `group-${index % 200}` },
      { kind: 'ServiceAccount', name: 'default', namespace: `ns-${index % namespaces}` },
    ],
  });
  return new Map<string, readonly object[]>([
    ['clusterroles', Array.from({ length: roles }, (_, index) => role(index))],
    ['rolebindings', Array.from({ length: bindings }, (_, index) => binding(index))],
  ]);
}

function createChain(): ReturnType<typeof authorizersFor> {
  const objects = accessObjects();
  const storeOf = (resource: string): ResourceStore => {
    const cached = (objects.get(resource) ?? []).map((object, at) => ({
      key: String(at),
      decode: () => object,
    }));
    const byKey = new Map(cached.map((object) => [object.key, object]));
    // What is followed of a store.
    return { cache: { lastChange: 1, windowStart: 0, objects: byKey } } as unknown as ResourceStore;
  };
  const graph = new FollowedGraph({ dialect: orchDialect, storeOf: () => undefined });
  return authorizersFor(['Node', 'RBAC'], {
    Node: new NodeAuthorizer({ dialect: orchDialect, rules: [], graph, gates: new Set() }),
    RBAC: new RbacAuthorizer({ dialect: orchDialect, storeOf }),
  });
}

/** Measures one kind of question after the other, each with another user and namespace every time. */
export async function measureAuthorization(): Promise<DecisionFigures[]> {
  const chain = createChain();
  const user = (name: string, groups: readonly string[]) => ({ name, uid: '', groups, extra: {} });
  const ask = (index: number, resource: string, groups: readonly string[]): AuthorizationQuestion => ({
    user: user(`user-${index % 2000}`, groups),
    request: {
      isResource: true,
      verb: 'get',
      group: '',
      version: 'v1',
      namespace: `ns-${index % namespaces}`,
      resource,
      subresource: '',
      name: 'x',
      path: '',
    },
  });
  const groupsOf = (index: number): string[] => [`group-${index % 200}`, 'system:authenticated'];
  const kinds: readonly (readonly [string, (index: number) => AuthorizationQuestion])[] = [
    ['system:masters', (index) => ask(index, 'pods', ['system:masters', 'system:authenticated'])],
    ['allowed by a binding', (index) => ask(index, 'pods', groupsOf(index))],
    ['allowed by the last rule', (index) => ask(index, 'kind-8', groupsOf(index))],
    ['refused, after all rules', (index) => ask(index, 'secrets', groupsOf(index))],
  ];
  const figures: DecisionFigures[] = [];
  for (const [name, questionOf] of kinds) {
    const questions = Array.from({ length: 4000 }, (_, index) => questionOf(index));
    for (const question of questions) await chain.authorize(question);
    const before = process.cpuUsage();
    for (let count = 0; count < decisions; count++) {
      const question = questions[count % questions.length];
      if (question !== undefined) chain.authorize(question);
    }
    const { user: spent, system } = process.cpuUsage(before);
    figures.push({ name, cpuMicros: (spent + system) / decisions });
  }
  return figures;
}

/** The figures as lines, beside their goals. */
export function renderAuthorization(figures: readonly DecisionFigures[]): string {
  const lines = figures.map(({ name, cpuMicros }) => `${name.padEnd(28)} ${cpuMicros.toFixed(2)} us`);
  return `Decision among ${bindings} bindings, CPU (goal: 10 us, 3 us more than system:masters)\n${lines.join('\n')}\n`;
}
