import { ownData } from '../base/index.ts';
import data from './metadata-checks.json' with { type: 'json' };

/**
 * One part of checking an update: `shape` is all that a new object's metadata must fulfil, `changes` how it may change,
 * `new` what the kind says of a new object, `kept` what it lets nobody change, `rules` what it says of the rest. A few kinds
 * check an updated object as a new one first, and report what they find there twice.
 */
export type UpdateCheck = 'shape' | 'changes' | 'new' | 'kept' | 'rules';

/** What a kind checks itself when it is updated, in order, by subresource ('' for the whole object). */
export type UpdateChecks = Readonly<Record<string, readonly UpdateCheck[]>>;

const checksByKind = ownData<Readonly<Record<string, UpdateChecks>>>(data);
const usual: readonly UpdateCheck[] = ['changes', 'rules'];

/**
 * What release 1.20 checks of an update beside what it checks for every kind. Kinds differ in it (from
 * `ValidateUpdate` of each strategy), and clients see causes as often as they are found.
 *
 * @param kind key of the storage kind as in `KindRulesTable`
 */
export function updateChecksOf(kind: string, subresource: string): readonly UpdateCheck[] {
  return checksByKind[kind]?.[subresource] ?? usual;
}
