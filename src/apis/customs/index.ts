/**
 * Custom resources: from a stored definition to kinds as data, like built-in ones: resources, types, rules, columns, views of
 * owners. And what follows from a definition for itself: its names and conditions. Pure; storing and serving is done in
 * `registry/customs` and `server`. Source: apiextensions-apiserver of release 1.20.
 */
export { CustomKind } from './custom-kind.ts';
export type { CustomSources, CustomVersion } from './custom-version.ts';
export { type DefinitionOutline, outlineOf } from './definition.ts';
export { CustomDirectory } from './directory.ts';
export { AccessError, customScale, setReplicas } from './scale.ts';
