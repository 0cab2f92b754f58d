/**
 * Stores of custom resources, which come and go with their definitions. What a definition means is known in `apis/customs`;
 * the verbs are those of all kinds.
 */
export { type CustomResource, CustomStores } from './custom-stores.ts';
export { type DefinitionSources, openDefinitions, type ServedDefinitions } from './open-definitions.ts';
