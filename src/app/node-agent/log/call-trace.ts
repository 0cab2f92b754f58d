import type { LogFields, Logger } from '../../../base/index.ts';
import { type CallSite, findCaller, formatCallers, locate, sourceName } from './call-site.ts';
import { parseModuleLevels } from './module-levels.ts';

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

const detailLevel = 3;
/** Time and level of a line of text. */
const header = /^\S+ \S+ /;
/** `folder/file.ts` of a path. */
const shortPath = /[^/]*\/?[^/]*$/;

/** Lines are written before the call of the logger returns: what is known of the call is kept until then. */
export function createCallTrace(options: CallTraceOptions): CallTrace {
  const { backtraceAt, hasPositions } = options;
  const levels = parseModuleLevels(options.vmodule);
  const hasLevels = levels.highest >= detailLevel;
  /** Level by file as the runtime names it. */
  const known = new Map<string, number>();
  let position = '';
  let stack = '';

  const isDetailed = ({ script }: CallSite): boolean => {
    let level = known.get(script);
    if (level === undefined) {
      level = levels.levelOf(sourceName(script).replace(/\.\w+$/, ''));
      known.set(script, level);
    }
    return level >= detailLevel;
  };

  const pass = (site: CallSite | undefined, write: () => void): void => {
    if (site === undefined || (!hasPositions && backtraceAt === '')) {
      write();
      return;
    }
    const { path, line } = locate(site);
    if (hasPositions) position = `${shown(path, options.hasFolders)}:${line} `;
    if (backtraceAt !== '' && isAt(`${path}:${line}`, backtraceAt)) stack = formatCallers();
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

/** The reference compares names of files; here a path may stand before them. */
function isAt(position: string, wanted: string): boolean {
  return position === wanted || position.endsWith(`/${wanted}`);
}
