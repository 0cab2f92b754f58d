/**
 * The options of the commands that give access: `orch user`, `orch token`. What they do is in `app`.
 */
export {
  parseLifetime,
  tokenCreateOptions,
  tokenCreateProgram,
  tokenProgram,
  userAddOptions,
  userAddProgram,
  userProgram,
} from './programs.ts';
