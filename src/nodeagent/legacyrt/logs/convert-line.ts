import { asJsonObject } from '../../../base/index.ts';

/** An entry of the engine's log. */
export interface EngineEntry {
  /** RFC 3339 with nine digits of a second, so that the order of texts is the order of times. */
  readonly time: string;
  readonly stream: string;
  /** Without its end. */
  readonly text: string;
  /** Whether the line ends here. */
  readonly isWhole: boolean;
}

/** Reads a line of the engine's `json-file` logs; undefined for what is none. */
export function readEngineLine(line: string): EngineEntry | undefined {
  try {
    const { log, stream, time } = asJsonObject(JSON.parse(line));
    if (typeof log !== 'string' || typeof time !== 'string') return undefined;
    const isWhole = log.endsWith('\n');
    const text = isWhole ? log.slice(0, -1) : log;
    return { time: fullTime(time), stream: stream === 'stderr' ? 'stderr' : 'stdout', text, isWhole };
  } catch {
    return undefined; // Truncated by a crash of the engine.
  }
}

/** A line of the container runtime interface's logs, with its end. */
export function formatEntry({ time, stream, text, isWhole }: EngineEntry): string {
  return `${time} ${stream} ${isWhole ? 'F' : 'P'} ${text}\n`;
}

/** The time that a line of the container runtime interface's logs begins with; empty for what is none. */
export function timeOfLine(line: string): string {
  return /^(\d{4}-\d\d-\d\dT[\d:.]+Z) std(?:out|err) /.exec(line)?.[1] ?? '';
}

/** The engine leaves zeros at the end out. */
function fullTime(time: string): string {
  const match = /^([^.]+?)(?:\.(\d{1,9}))?Z$/.exec(time);
  return match === null ? time : `${match[1]}.${(match[2] ?? '').padEnd(9, '0')}Z`;
}
