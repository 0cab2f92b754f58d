/**
 * Tables that change in place on a terminal: rows and events become a state, the state a frame of lines, and two frames the
 * bytes that turn one into the other. All of that is pure; `LiveScreen` draws. It knows nothing of objects and servers.
 */
export { composeFrame, momentMs, type Picture } from './compose-frame.ts';
export { LiveScreen } from './live-screen.ts';
export { LiveTable, type RowInput, type SortRows } from './live-table.ts';
