import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { PolicyRule, RoleRef, Subject } from '../../../apis/types/rbac-authorization-v1.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import { serviceAccountUser } from '../../authentication/index.ts';
import type { Decision } from '../authorizer.ts';
import { CompiledRules } from './compiled-rules.ts';

/** A binding of a role, in a namespace or, where that is empty, everywhere. */
export interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** What a binding gives somebody. */
class Grant {
  readonly binding: Binding;
  /** As whom the user has it. */
  readonly subject: Subject;
  /** Undefined when there is no such role. */
  readonly rules: CompiledRules | undefined;
  #allowance: Decision | undefined;

  constructor({ binding, subject }: Entry, rules: CompiledRules | undefined) {
    this.binding = binding;
    this.subject = subject;
    this.rules = rules;
  }

  /** The decision for what the rules allow, with the text that says where it comes from. */
  get allowance(): Decision {
    this.#allowance ??= { isAllowed: true, reason: `RBAC: allowed by ${describe(this)}` };
    return this.#allowance;
  }
}

/** A subject of a binding, where the user is looked for. */
interface Entry {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** Of one user. */
const maxKnownNamespaces = 100;

/**
 * Roles and their bindings by subject: what a user is granted is found without looking at what others are. Keys are
 * those of the stored objects.
 */
export class AccessIndex {
  /** By namespace, which cluster roles do not have, then by name. No text is put together to find one. */
  readonly #roles = new Map<string, Map<string, CompiledRules>>();
  readonly #bindings = new Map<string, Binding>();
  /** By namespace, then by subject. */
  readonly #entries = new Map<string, Map<string, Entry[]>>();
  /** What users are granted, by namespace, until a role or a binding changes. */
  #known = new WeakMap<UserInfo, Map<string, readonly Grant[]>>();

  setRole(namespace: string, name: string, rules: readonly PolicyRule[] | undefined): void {
    this.#known = new WeakMap();
    const roles = getOrAdd(this.#roles, namespace, () => new Map<string, CompiledRules>());
    if (rules !== undefined) roles.set(name, new CompiledRules(rules));
    else if (roles.delete(name) && roles.size === 0) this.#roles.delete(namespace);
  }

  /** Puts a binding in the place of the one of the same namespace and name; undefined removes that. */
  setBinding(namespace: string, name: string, binding: Binding | undefined): void {
    this.#known = new WeakMap();
    const key = `${namespace}/${name}`;
    const old = this.#bindings.get(key);
    if (old !== undefined) this.#forget(old);
    if (binding === undefined) {
      this.#bindings.delete(key);
      return;
    }
    this.#bindings.set(key, binding);
    const places = getOrAdd(this.#entries, namespace, () => new Map<string, Entry[]>());
    for (const subject of binding.subjects) {
      const place = subjectKey(subject, namespace);
      const entries = places.get(place) ?? [];
      entries.push({ binding, subject });
      places.set(place, entries);
    }
  }

  /** All that a user is granted: first everywhere, then in the namespace if one is given. */
  grantsOf(user: UserInfo, namespace: string): readonly Grant[] {
    const known = getOrAdd(this.#known, user, () => new Map<string, readonly Grant[]>());
    let grants = known.get(namespace);
    if (grants === undefined) {
      grants = [...this.#grantsIn('', user), ...(namespace === '' ? [] : this.#grantsIn(namespace, user))];
      // Callers choose the namespaces: what comes again is soon back.
      if (known.size >= maxKnownNamespaces) known.clear();
      known.set(namespace, grants);
    }
    return grants;
  }

  /** The rules of the role that a binding names; undefined when there is none. */
  rulesOf({ kind, name }: RoleRef, namespace: string): CompiledRules | undefined {
    return this.#roles.get(kind === 'ClusterRole' ? '' : namespace)?.get(name);
  }

  #grantsIn(namespace: string, { name, groups }: UserInfo): readonly Grant[] {
    const places = this.#entries.get(namespace);
    if (places === undefined) return [];
    return [`u${name}`, ...groups.map((group) => `g${group}`)]
      .flatMap((place) => places.get(place) ?? [])
      .map((entry) => new Grant(entry, this.rulesOf(entry.binding.roleRef, entry.binding.namespace)));
  }

  #forget(binding: Binding): void {
    const places = this.#entries.get(binding.namespace);
    for (const subject of binding.subjects) {
      const place = subjectKey(subject, binding.namespace);
      const left = places?.get(place)?.filter((entry) => entry.binding !== binding) ?? [];
      if (left.length > 0) places?.set(place, left);
      else places?.delete(place);
    }
    if (places?.size === 0) this.#entries.delete(binding.namespace);
  }
}

/** Service accounts are users by the name that they have in requests. */
function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind === 'Group') return `g${name}`;
  if (kind !== 'ServiceAccount') return `u${name}`;
  return `u${serviceAccountUser(namespace || bindingNamespace, name).name}`;
}

/** Where a grant comes from, as decisions give it for their reason. */
function describe({ binding: { namespace, name, roleRef }, subject }: Grant): string {
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const shown = namespace === '' ? name : `${name}/${namespace}`;
  const who =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  return `${kind} ${quoteGo(shown)} of ${roleRef.kind} ${quoteGo(roleRef.name)} to ${subject.kind} ${quoteGo(who)}`;
}

/** A map, weak or not. */
interface Lookup<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

function getOrAdd<Key, Value>(map: Lookup<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
