/**
 * The namespace controller: deletes what a namespace under deletion holds, then lets the namespace go. It does not
 * make namespaces, and knows resources only from discovery.
 */
export { nextConditions } from './conditions.ts';
export { type ContentReport, isEmpty, type RemainingContent } from './content-report.ts';
export { namespaceController } from './namespace-controller.ts';
