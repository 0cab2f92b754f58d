import type { LogFields, Logger } from '../../../base/index.ts';
import { debugVerbosity } from '../../logging.ts';
import { findCaller, formatCallers } from './call-site.ts';
import { parseModuleLevels } from './module-levels.ts';
import type { FilePosition } from './source-map.ts';

/** What is asked about the sources of lines. */
export interface CallTraceOptions {
  /** `pattern=N,...`; empty for none. */
  readonly vmodule: string;
  /** `file.ts:234`; empty for none. */
  readonly backtraceAt: string;
  /** Whether the folder stands before the name of the file. */
  readonly hasFolders: boolean;
  /** Whether lines of text name file and line. */
  readonly hasPositions: boolean;
}

/** Follows calls of a logger to where they come from. */
export interface CallTrace {
  /** Whether some files write more details than others. */
  readonly hasLevels: boolean;
  /** The same logger, its calls followed; details are let through from files with a level for them, or all. */
  follow(logger: Logger, hasDetails: () => boolean): Logger;
  /** A line that is being written, with file and line behind its header, and with a stack trace where that is wanted. */
  complete(line: string): string;
}

/** Time and level of a line of text. */
const header = /^\S+ \S+ /;
/** `folder/file.ts` of a path. */
const shortPath = /[^/]*\/?[^/]*$/;

/** Lines are written before the call of the logger returns: what is known of the call is kept until then. */
export function createCallTrace(options: CallTraceOptions): CallTrace {
  const { backtraceAt, hasPositions } = options;
  const levels = parseModuleLevels(options.vmodule);
  const hasLevels = levels.highest >= debugVerbosity;
  /** Levels by file. */
  const known = new Map<string, number>();
  let position = '';
  let stack = '';

  const isDetailed = ({ file }: FilePosition): boolean => {
    let level = known.get(file);
    if (level === undefined) {
      level = levels.levelOf(file.replace(/\.\w+$/, ''));
      known.set(file, level);
    }
    return level >= debugVerbosity;
  };

  const pass = (site: FilePosition | undefined, write: () => void): void => {
    if (site === undefined || (!hasPositions && backtraceAt === '')) {
      write();
      return;
    }
    const { file, line } = site;
    if (hasPositions) position = `${shown(file, options.hasFolders)}:${line} `;
    if (backtraceAt !== '' && isAt(`${file}:${line}`, backtraceAt)) stack = formatCallers();
    try {
      write();
    } finally {
      position = '';
      stack = '';
    }
  };

  const follow = (logger: Logger, hasDetails: () => boolean): Logger => ({
    error: (message: string, fields?: LogFields) => pass(findCaller(), () => logger.error(message, fields)),
    info: (message: string, fields?: LogFields) => pass(findCaller(), () => logger.info(message, fields)),
    debug(message: string, fields?: LogFields) {
      const isWanted = hasDetails();
      if (!isWanted && !hasLevels) return;
      const site = findCaller();
      if (isWanted || (site !== undefined && isDetailed(site))) {
        pass(site, () => logger.debug(message, fields));
      }
    },
    child: (fields) => follow(logger.child(fields), hasDetails),
  });

  return {
    hasLevels,
    follow,
    complete: (line) => (position === '' ? line : line.replace(header, (start) => start + position)) + stack,
  };
}

function shown(path: string, hasFolders: boolean): string {
  const [short = path] = shortPath.exec(path) ?? [];
  return hasFolders ? short : short.slice(short.lastIndexOf('/') + 1);
}

/** Release 1.20 compares names of files; here a path may stand before them. */
function isAt(position: string, wanted: string): boolean {
  return position === wanted || position.endsWith(`/${wanted}`);
}
