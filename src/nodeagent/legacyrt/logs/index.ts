/**
 * Log files of containers in the format of the container runtime interface, copied from the files that the engine keeps:
 * one follower for each running container, woken by the file system, that goes on where the one before it has ended.
 */
export { type LoggedContainer, LogKeeper } from './log-keeper.ts';
