/**
 * Rules of the extensions group: definitions of custom resources and their schemas. Objects are checked by what
 * `customSchemaCompiler` makes of the schemas; serving the resources is done elsewhere.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { customResourceDefinitionRules } from './definition.ts';

export type { HeldNames } from './accepted-names.ts';
export {
  type ConversionBatch,
  ConversionError,
  type ReviewVersion,
  readConversionReview,
  writeConversionReview,
} from './conversion-review.ts';
export { type CustomSchemaCompiler, customSchemaCompiler } from './custom-schemas.ts';
export {
  cleanupFinalizer,
  decideStatus,
  decideTerminating,
  hasCondition,
  overlapsBuiltIn,
} from './definition-status.ts';
export { runsRules } from './schema-rule-switch.ts';

/** Rules of the extensions group's kinds. */
export const apiextensionsRules: KindRulesTable = {
  'apiextensions.orch.io/v1beta1.CustomResourceDefinition': customResourceDefinitionRules,
};
