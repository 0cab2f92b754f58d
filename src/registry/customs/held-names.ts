import type { HeldNames } from '../../apis/apiextensions/index.ts';
import type { DefinitionOutline } from '../../apis/customs/index.ts';

/** A definition's group and the names that it holds. */
type Holder = Pick<DefinitionOutline, 'group' | 'names'>;

/** Counts of names: a name that several hold stays until all have let it go. */
class NameCounts {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  add(name: string | undefined, change: 1 | -1): void {
    if (!name) return;
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

/** The names that definitions hold, by group. A name is held from the decision on, before it is stored. */
export class NameBook {
  readonly #groups = new Map<string, { readonly resources: NameCounts; readonly kinds: NameCounts }>();
  readonly #holders = new Map<string, Holder>();

  /** Names that definitions of a group hold. */
  of(group: string): HeldNames {
    return this.#group(group);
  }

  /** The definition holds these names and no others; without any it is gone. Answers the group where names may be free now. */
  set(definition: string, holder: Holder | undefined): string | undefined {
    const before = this.#holders.get(definition);
    if (holder === undefined) this.#holders.delete(definition);
    else {
      this.#holders.set(definition, holder);
      this.#count(holder, 1);
    }
    if (before === undefined) return undefined;
    this.#count(before, -1);
    return namesText(before) === namesText(holder) ? undefined : before.group;
  }

  #count({ group, names }: Holder, change: 1 | -1): void {
    const { plural, singular, shortNames = [], kind, listKind } = names;
    const { resources, kinds } = this.#group(group);
    for (const name of [plural, singular, ...shortNames]) resources.add(name, change);
    for (const name of [kind, listKind]) kinds.add(name, change);
  }

  #group(name: string) {
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { resources: new NameCounts(), kinds: new NameCounts() };
      this.#groups.set(name, group);
    }
    return group;
  }
}

const namesText = (holder: Holder | undefined): string => JSON.stringify(holder?.names) ?? '';
