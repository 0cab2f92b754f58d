/**
 * Formats of names and values that the whole API shares: each check returns apimachinery's sentences about what
 * is wrong, none when all is well. What an object's fields must hold is decided in `apis`.
 */
export * from './formats.ts';
export * from './ip.ts';
export * from './messages.ts';
