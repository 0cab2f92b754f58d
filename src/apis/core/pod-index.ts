/** The fragment of the rules table with the core kinds that run or describe pods. */
import type { KindRulesTable } from '../kind-rules.ts';
import { podRules } from './pod.ts';

/** Rules of `v1.Pod` and the core kinds that hold pod templates. */
export const podRulesTable: KindRulesTable = {
  'v1.Pod': podRules,
};
