/**
 * The agent's log: where its lines go (standard error, one file, or files by severity), what they say of the source that
 * wrote them, how much of which source is written, and what of them nobody may read. It does not format lines: that is
 * `src/app/logging.ts`. What only some options need is loaded with them.
 */
export { type AgentLog, type LogOptions, type LogSurroundings, openAgentLog } from './open-agent-log.ts';
