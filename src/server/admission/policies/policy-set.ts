import { type CompiledPolicy, compilePolicy } from '../../../apis/admissionregistration/index.ts';
import type {
  MatchResources,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../apis/types/admissionregistration-v1.ts';
import { type TimeSlices, takeInSlices } from '../../../base/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { AdmissionReader } from '../reader.ts';
import { matchRules, type RequestMatcher, selectorOf } from '../webhooks/index.ts';

/** A policy that a binding makes count. */
export interface BoundPolicy {
  readonly name: string;
  readonly policy: ValidatingAdmissionPolicy;
  readonly matches: PolicyMatcher;
  readonly bindings: readonly Binding[];
  /** Its expressions, compiled when a request first concerns it, for all that wait at once. */
  compiled(): CompiledPolicy | Promise<CompiledPolicy>;
}

/** A binding, and for which requests it counts: all of the policy's when it does not say. */
export interface Binding {
  readonly name: string;
  readonly binding: ValidatingAdmissionPolicyBinding;
  readonly matches: PolicyMatcher | undefined;
}

/** Requests that are meant, and among them those that are not. */
export interface PolicyMatcher extends RequestMatcher {
  readonly excluded: Pick<RequestMatcher, 'rules' | 'matchesEquivalents'>;
}

/** The policies that are bound. Whatever was written before a request counts for it. */
export interface PolicySet {
  current(): readonly BoundPolicy[];
  /** Whether the rules of any of them name the request. */
  concerns(attributes: AdmissionAttributes): boolean;
}

const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];

/** Follows the stored policies and bindings. */
export function createPolicySet(read: AdmissionReader, dialect: Dialect, slices: TimeSlices): PolicySet {
  const group = dialect.group('admissionregistration');
  const compiled: Compiled = new WeakMap();
  let known: { readonly from: readonly unknown[]; readonly policies: readonly BoundPolicy[] } = {
    from: [],
    policies: [],
  };
  const current = (): readonly BoundPolicy[] => {
    const policies = read.list<ValidatingAdmissionPolicy>(group, 'validatingadmissionpolicies');
    const bindings = read.list<ValidatingAdmissionPolicyBinding>(group, 'validatingadmissionpolicybindings');
    if (known.from[0] !== policies || known.from[1] !== bindings) {
      known = { from: [policies, bindings], policies: bind(policies, bindings, { compiled, slices }) };
    }
    return known.policies;
  };
  return {
    current,
    concerns: (attributes) => current().some(({ matches }) => isNamed(matches, attributes)),
  };
}

/** Whether rules name a request, and none of those that exclude some. */
export function isNamed(matcher: PolicyMatcher, attributes: AdmissionAttributes): boolean {
  return (
    matchRules(matcher, attributes) !== undefined && matchRules(matcher.excluded, attributes) === undefined
  );
}

type Compiled = WeakMap<ValidatingAdmissionPolicy, CompiledPolicy | Promise<CompiledPolicy>>;

interface Compiling {
  readonly compiled: Compiled;
  /** Other requests go first between the expressions of a policy. */
  readonly slices: TimeSlices;
}

function bind(
  policies: readonly ValidatingAdmissionPolicy[],
  bindings: readonly ValidatingAdmissionPolicyBinding[],
  { compiled, slices }: Compiling,
): readonly BoundPolicy[] {
  const byPolicy = Map.groupBy(bindings, ({ spec }) => spec.policyName ?? '');
  return policies.flatMap((policy) => {
    const { name = '' } = policy.metadata;
    const own = byPolicy.get(name) ?? [];
    if (own.length === 0) return [];
    return [
      {
        name,
        policy,
        matches: matcherOf(policy.spec.matchConstraints ?? {}, []),
        bindings: own.map((binding) => ({
          name: binding.metadata.name ?? '',
          binding,
          matches: binding.spec.matchResources && matcherOf(binding.spec.matchResources, everything),
        })),
        compiled() {
          const known = compiled.get(policy);
          if (known !== undefined) return known;
          const coming = takeInSlices(compilePolicy(policy.spec), slices.begin(1)).then((parts) => {
            compiled.set(policy, parts);
            return parts;
          });
          compiled.set(policy, coming);
          return coming;
        },
      },
    ];
  });
}

/** `others` are the rules where none are given. */
function matcherOf(match: MatchResources, others: RequestMatcher['rules']): PolicyMatcher {
  const { resourceRules = [], excludeResourceRules = [] } = match;
  const matchesEquivalents = match.matchPolicy !== 'Exact';
  return {
    rules: resourceRules.length === 0 ? others : resourceRules,
    excluded: { rules: excludeResourceRules, matchesEquivalents },
    matchesEquivalents,
    namespaceSelector: selectorOf(match.namespaceSelector),
    objectSelector: selectorOf(match.objectSelector),
  };
}
