import type { PolicyRule } from '../../../apis/types/rbac-authorization-v1.ts';
import type { AuthorizationQuestion } from '../authorizer.ts';
import { ruleAllows } from '../policy-rules.ts';

type Request = AuthorizationQuestion['request'];

/** What rules are looked up by: `pods`, `pods/log`; made once for each decision. */
export const resourceKey = ({ resource, subresource }: Request): string =>
  subresource === '' ? resource : `${resource}/${subresource}`;

/** The rules of one role, found by what a request is about. */
export class CompiledRules {
  readonly rules: readonly PolicyRule[];
  /** Rules by each resource that they name. */
  readonly #byResource = new Map<string, PolicyRule[]>();
  /** Rules with a star where a resource stands. */
  readonly #starred: PolicyRule[] = [];
  readonly #ofPaths: PolicyRule[] = [];

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
    for (const rule of rules) {
      if (rule.nonResourceURLs?.length) this.#ofPaths.push(rule);
      const resources = rule.resources ?? [];
      if (resources.some((resource) => resource.startsWith('*'))) this.#starred.push(rule);
      for (const resource of new Set(resources)) {
        const known = this.#byResource.get(resource);
        if (known === undefined) this.#byResource.set(resource, [rule]);
        else known.push(rule);
      }
    }
  }

  /** Whether a rule allows the request; `key` is its `resourceKey`. */
  allow(request: Request, key: string): boolean {
    if (!request.isResource) return anyAllows(this.#ofPaths, request);
    return anyAllows(this.#byResource.get(key), request) || anyAllows(this.#starred, request);
  }
}

function anyAllows(rules: readonly PolicyRule[] | undefined, request: Request): boolean {
  if (rules === undefined) return false;
  for (const rule of rules) if (ruleAllows(rule, request)) return true;
  return false;
}
