/** How much is logged by the files whose names match. */
interface ModuleLevel {
  readonly pattern: RegExp;
  /** Components of a path that the pattern is about: 1 for names of files. */
  readonly depth: number;
  readonly level: number;
}

/** Levels that `--vmodule` gives to files. */
export interface ModuleLevels {
  /** The highest of them; 0 when there are none. */
  readonly highest: number;
  /** That of the first pattern that matches a file's path, extension left out; 0 when none does. */
  levelOf(path: string): number;
}

/**
 * Reads `pattern=N,...`. A pattern is a file's name without extension, with `*`, `?`, `[a-z]` and `\x` as release 1.20's
 * file patterns have them. One with slashes is compared with as many last components of the path. One that is broken
 * matches nothing. The text has passed the parser of the option.
 */
export function parseModuleLevels(text: string): ModuleLevels {
  const levels = text.split(',').flatMap((part): ModuleLevel[] => {
    const [glob = '', number = ''] = part.split('=');
    const level = Number(number);
    const pattern = level > 0 ? compile(glob) : undefined;
    return pattern === undefined ? [] : [{ pattern, depth: glob.split('/').length, level }];
  });
  return {
    highest: Math.max(0, ...levels.map(({ level }) => level)),
    levelOf(path) {
      const components = path.split('/');
      const match = levels.find(({ pattern, depth }) => pattern.test(components.slice(-depth).join('/')));
      return match?.level ?? 0;
    },
  };
}

/** One piece of a file pattern: a class, an escaped character, a wildcard, or any other character. */
const piece = /\[(\^?)((?:\\.|[^\\\]])+)\]|\\(.)|([*?])|([^[\\])/gsuy;

/** Undefined for a pattern that is broken. */
function compile(glob: string): RegExp | undefined {
  let source = '';
  let end = 0;
  for (const match of glob.matchAll(piece)) {
    const [whole, negation = '', members, escaped, wildcard, plain = ''] = match;
    end = match.index + whole.length;
    if (members !== undefined) source += `[${negation}${quoteMembers(members)}]`;
    else if (wildcard !== undefined) source += wildcard === '*' ? '[^/]*' : '[^/]';
    else source += quote(escaped ?? plain);
  }
  if (end < glob.length) return undefined;
  try {
    return new RegExp(`^${source.replaceAll('[^/]*[^/]*', '[^/]*')}$`, 's');
  } catch {
    return undefined; // a range that ends before it begins
  }
}

/** Members of a class; `-` between two of them makes a range. */
function quoteMembers(members: string): string {
  return members.replaceAll(/\\(.)|([^-])/gsu, (_, escaped?: string, plain?: string) =>
    quote(escaped ?? plain ?? ''),
  );
}

function quote(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|-]/g, '\\$&');
}
