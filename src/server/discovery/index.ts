/**
 * Discovery in one request, as later releases have it: all groups with their versions and resources in one document, for clients
 * whose `Accept` names it. Clients of release 1.20 never do. What it says comes from `apis/resources`.
 */
export { AggregatedDocuments, type AggregatedDocumentsOptions } from './aggregated-documents.ts';
export { type AggregatedForm, chooseAggregated, respondAggregated } from './respond-aggregated.ts';
