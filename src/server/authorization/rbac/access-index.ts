import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { PolicyRule, RoleRef, Subject } from '../../../apis/types/rbac-authorization-v1.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import { serviceAccountUser } from '../../authentication/index.ts';
import { CompiledRules } from './compiled-rules.ts';

/** A binding of a role, in a namespace or, where that is empty, everywhere. */
export interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** What a binding gives somebody. */
export interface Grant {
  readonly binding: Binding;
  /** As whom the user has it. */
  readonly subject: Subject;
  /** Undefined when there is no such role. */
  readonly rules: CompiledRules | undefined;
}

/** A subject of a binding, where the user is looked for. */
interface Entry {
  readonly binding: Binding;
  readonly subject: Subject;
}

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

  setRole(namespace: string, name: string, rules: readonly PolicyRule[] | undefined): void {
    const roles = getOrAdd(this.#roles, namespace, () => new Map<string, CompiledRules>());
    if (rules !== undefined) roles.set(name, new CompiledRules(rules));
    else if (roles.delete(name) && roles.size === 0) this.#roles.delete(namespace);
  }

  /** Puts a binding in the place of the one of the same namespace and name; undefined removes that. */
  setBinding(namespace: string, name: string, binding: Binding | undefined): void {
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
      // Another list, since somebody may be reading this one.
      places.set(place, [...entries, { binding, subject }]);
    }
  }

  /** All that a user is granted: first everywhere, then in the namespace if one is given. */
  *grantsOf(user: UserInfo, namespace: string): Generator<Grant> {
    yield* this.#grantsIn('', user);
    if (namespace !== '') yield* this.#grantsIn(namespace, user);
  }

  /** The rules of the role that a binding names; undefined when there is none. */
  rulesOf({ kind, name }: RoleRef, namespace: string): CompiledRules | undefined {
    return this.#roles.get(kind === 'ClusterRole' ? '' : namespace)?.get(name);
  }

  *#grantsIn(namespace: string, { name, groups }: UserInfo): Generator<Grant> {
    const places = this.#entries.get(namespace);
    if (places === undefined) return;
    yield* this.#grantsAt(places.get(`u${name}`));
    for (const group of groups) yield* this.#grantsAt(places.get(`g${group}`));
  }

  *#grantsAt(entries: readonly Entry[] | undefined): Generator<Grant> {
    for (const { binding, subject } of entries ?? []) {
      yield { binding, subject, rules: this.rulesOf(binding.roleRef, binding.namespace) };
    }
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
export function describeGrant({ binding: { namespace, name, roleRef }, subject }: Grant): string {
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const shown = namespace === '' ? name : `${name}/${namespace}`;
  const who =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  return `${kind} ${quoteGo(shown)} of ${roleRef.kind} ${quoteGo(roleRef.name)} to ${subject.kind} ${quoteGo(who)}`;
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
