/**
 * What objects were before: `ctl log` shows the versions that the server still has, `ctl undo` puts one of them back.
 */
export { logVerb } from './log.ts';
export { undoVerb } from './undo.ts';
