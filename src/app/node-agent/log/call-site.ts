import { readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { type FilePosition, type FindSource, readSourceMap } from './source-map.ts';

const isBuilt = extname(import.meta.url) === '.js';
/** That of the project: what is built lies below its `dist`. */
const root = isBuilt
  ? import.meta.dirname.slice(0, `${import.meta.dirname}/`.lastIndexOf('/dist/'))
  : join(import.meta.dirname, '../../../..');
/** Files that calls of a logger pass through on their way here. */
const between = new Set(
  ['log/call-site.ts', 'log/call-trace.ts', 'count-errors.ts'].map((file) => `src/app/node-agent/${file}`),
);
const ownFrames = 8;
const longestStack = 64;
const framePosition = /(file:\/\/\S+?):(\d+):(\d+)(?=\)?$)/;

/** By place in the code that runs: there are as many as it has calls that log. */
const positions = new Map<string, FilePosition>();
const sourceMaps = new Map<string, FindSource>();

/**
 * Who calls the logger: the first caller outside the files of the log. Its place is that in the sources, the path from the
 * root of the project; that in the built file where no source is known.
 */
export function findCaller(): FilePosition | undefined {
  for (const { scriptName, lineNumber, columnNumber } of getCallSites(ownFrames, { sourceMap: false })) {
    const position = locate(scriptName, lineNumber, columnNumber);
    if (!between.has(position.file)) return position;
  }
  return undefined;
}

/** Those who called the logger, over waits as far as the runtime knows; one line each, that of the caller first. */
export function formatCallers(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = longestStack;
  const [, ...frames] = (new Error('callers').stack ?? '').split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  let isOutside = false;
  let text = '';
  for (const frame of frames) {
    const [place = '', script = '', line, column] = framePosition.exec(frame) ?? [];
    const at = locate(script, Number(line), Number(column));
    isOutside ||= !between.has(at.file);
    if (isOutside) text += `${script === '' ? frame : frame.replace(place, () => format(at))}\n`;
  }
  return text;
}

const format = ({ file, line, column }: FilePosition): string => `${file}:${line}:${column}`;

/** Reads the source map beside a built file when that is first asked for. */
function locate(script: string, line: number, column: number): FilePosition {
  const key = `${script}:${line}:${column}`;
  let position = positions.get(key);
  if (position === undefined) {
    position = findSource(script, line, column) ?? { file: pathOf(script), line, column };
    positions.set(key, position);
  }
  return position;
}

function findSource(script: string, line: number, column: number): FilePosition | undefined {
  if (!isBuilt || !script.startsWith('file:')) return undefined;
  const path = fileURLToPath(script);
  let find = sourceMaps.get(path);
  if (find === undefined) {
    find = openSourceMap(`${path}.map`);
    sourceMaps.set(path, find);
  }
  const found = find(line, column);
  return found && { ...found, file: relative(root, join(dirname(path), found.file)) };
}

function openSourceMap(path: string): FindSource {
  try {
    return readSourceMap(readFileSync(path, 'utf8'));
  } catch {
    return () => undefined; // a package has none: the place in its file is true as well
  }
}

function pathOf(script: string): string {
  if (!script.startsWith('file:')) return script;
  const path = fileURLToPath(script);
  return path.startsWith(`${root}/`) ? relative(root, path) : path;
}
