/**
 * Rules of the extensions group: definitions of custom resources and their schemas. Serving the resources, and
 * checking objects against the schemas, is done elsewhere.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { customResourceDefinitionRules } from './definition.ts';

export { validateSchema } from './schema-validation.ts';

/** Rules of the extensions group's kinds. */
export const apiextensionsRules: KindRulesTable = {
  'apiextensions.orch.io/v1beta1.CustomResourceDefinition': customResourceDefinitionRules,
};
