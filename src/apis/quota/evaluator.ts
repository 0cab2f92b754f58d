import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ScopedResourceSelectorRequirement } from '../types/core-v1.ts';
import type { Amounts } from './amounts.ts';

/** How the objects of one resource count for quotas. It is asked about objects of its resource only. */
export interface Evaluator {
  /** Whether writes of the kind can change what is used. */
  handles(operation: string): boolean;
  /** Whether objects of the resource can use what a quota bounds under this name. */
  matches(name: string): boolean;
  /** Which of `required` the object must state and does not, in order. */
  missing(object: ApiObject, required: readonly string[]): string[];
  usage(object: ApiObject): Amounts;
  isInScope(object: ApiObject, requirement: ScopedResourceSelectorRequirement): boolean;
}
