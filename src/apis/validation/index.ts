/**
 * Checks that many kinds share: formats of names and values, object metadata, immutability. Wording and order
 * are release 1.20's. Rules of one kind live with that kind.
 */
export * from '../../machinery/formats/index.ts';
export * from './finalizers.ts';
export * from './go-json.ts';
export * from './go-structures.ts';
export * from './go-syntax.ts';
export * from './immutable.ts';
export * from './label-selector.ts';
export * from './labels.ts';
export * from './managed-fields.ts';
export * from './names.ts';
export * from './numbers.ts';
export * from './object-meta.ts';
export * from './owner-references.ts';
export * from './quantities.ts';
export * from './resource-names.ts';
export * from './semantic-equal.ts';
