/**
 * From a parsed expression to functions: types are found and checked on the way, and what the expression may cost at most is
 * estimated. One file for each kind of syntax.
 */
export { Compiler } from './compiler.ts';
export { HiddenSyntax } from './hidden-syntax.ts';
export type { Issue, Part } from './part.ts';
