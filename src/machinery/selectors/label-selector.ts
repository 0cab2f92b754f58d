import { formatLabelRequirement, type LabelRequirement } from './label-requirement.ts';

/** A label selector, made once and matched often. */
export interface LabelSelector {
  /** True when every object matches. */
  readonly isEmpty: boolean;
  /** Conditions that must all hold, sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** True when an object with these labels is selected; absent labels are no labels. */
  matches(labels: Readonly<Record<string, string>> | null | undefined): boolean;
  /** Query syntax that means the same. */
  toString(): string;
}

const noLabels: Readonly<Record<string, string>> = {};

/** The selector that wants all of `requirements`. */
export function createLabelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    isEmpty: sorted.length === 0,
    requirements: sorted,
    matches(labels) {
      for (const requirement of sorted) if (!requirement.matches(labels ?? noLabels)) return false;
      return true;
    },
    toString: () => sorted.map(formatLabelRequirement).join(','),
  };
}

/** Selects every object. */
export const everything: LabelSelector = createLabelSelector([]);

/** Selects no object. It has no query syntax: its text is empty too. */
export const nothing: LabelSelector = {
  isEmpty: false,
  requirements: [],
  matches: () => false,
  toString: () => '',
};
