/**
 * Schemas of custom resources: what a definition says of the objects of one version, compiled into functions that prune,
 * set defaults and validate as release 1.20 does. Pure; whether a schema may stand in a definition is decided in `apis`.
 */
export { type CustomSchema, type CustomSchemaSettings, compileCustomSchema } from './custom-schema.ts';
export { type DefaultRules, hasUnprunedDefaults, validateDefaults } from './default-validation.ts';
export type { EmbeddedMetadata } from './embedded-objects.ts';
export { compilePattern, type Pattern, type PatternFault, patternSize } from './patterns.ts';
export * from './schema-names.ts';
