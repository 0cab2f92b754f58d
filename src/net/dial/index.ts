/**
 * What keeps connections from being opened, in the words of release 1.20's components, which clients show and match: the
 * runtime has others.
 */
export {
  ConnectTimeout,
  type DialedTarget,
  type DialTarget,
  describeDialError,
  dialTargetOf,
  formatAuthority,
} from './dial-error.ts';
export { bearLateErrors } from './late-errors.ts';
