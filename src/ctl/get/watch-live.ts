import { readFileSync } from 'node:fs';
import { loadChangeMarks, loadColours } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { formatError } from '../format-error.ts';
import { watchInterrupt } from '../interrupt.ts';
import type { TerminalSize } from '../io.ts';
import { composeFrame, momentMs, type Picture } from '../live-table/compose-frame.ts';
import { LiveScreen } from '../live-table/live-screen.ts';
import { LiveTable, type SortRows } from '../live-table/live-table.ts';
import { sortByPath } from '../printers/sort.ts';
import { toCellText } from '../printers/text-table.ts';
import type { Target } from '../resource/target.ts';
import { followTarget } from './follow.ts';
import { LiveFeed } from './live-feed.ts';
import { countTypes, groupByType, type TableRun, tableOptions, tableRequest } from './tables.ts';

/**
 * The size of the terminal, if it can show a table that changes in place: one that tells its size and moves its cursor, and
 * of which this process is in the foreground.
 */
export function findLiveTerminal({ io }: Ctl): TerminalSize | undefined {
  const { TERM = 'dumb' } = io.env;
  return TERM === 'dumb' || TERM === '' || !isInForeground() ? undefined : io.input.size();
}

/** Shows what targets select, changing in place, until the user interrupts. @throws what the server refuses */
export async function watchLive(run: TableRun, size: TerminalSize): Promise<void> {
  const { ctl } = run;
  const interrupt = watchInterrupt(ctl);
  const ending = new AbortController();
  void interrupt.came.then(() => ending.abort());
  const tables: LiveTable[] = [];
  const picture = { ...(await emptyPicture(run)), tables, notice: '' };
  const unseen = Promise.withResolvers<never>();
  const screen = new LiveScreen(ctl.io, {
    compose(view) {
      for (const table of tables) table.sweep(view.nowMs - momentMs);
      return composeFrame(picture, view);
    },
    size,
    onFailure: unseen.reject,
  });
  try {
    const feeds = await openFeeds(run, tables);
    screen.start();
    const showNotice = (notice: string): void => {
      picture.notice = notice;
      screen.update();
    };
    const follow = { run, signal: ending.signal, showNotice };
    const ends = Promise.all(feeds.map(({ target, feed }) => followInto(feed, target, follow)));
    await Promise.race([ends, unseen.promise]);
  } finally {
    ending.abort();
    picture.notice = '';
    screen.stop();
    interrupt.stop();
  }
  // As if nobody had caught it: whoever started this process learns how it ended.
  if (!ctl.io.signal.aborted && (await isInterrupted(interrupt))) process.kill(process.pid, 'SIGINT');
}

async function isInterrupted({ came }: ReturnType<typeof watchInterrupt>): Promise<boolean> {
  return (await Promise.race([came, Promise.resolve('no')])) === 'interrupted';
}

async function emptyPicture({
  ctl,
  call,
}: TableRun): Promise<Pick<Picture, 'hasHeaders' | 'colours' | 'marks'>> {
  const { env, stdout } = ctl.io;
  return {
    hasHeaders: !call.options.noHeaders,
    colours: await loadColours({ isTerminal: stdout.isTerminal, env }),
    marks: await loadChangeMarks(env),
  };
}

/** A table for each type, and what leads the changes of each target there. */
async function openFeeds(
  run: TableRun,
  tables: LiveTable[],
): Promise<readonly { readonly target: Target; readonly feed: LiveFeed }[]> {
  const { ctl, call, targets } = run;
  const showsKind = call.options.showKind || countTypes(targets) > 1;
  const { sortBy, watchOnly } = call.options;
  const sort: SortRows | undefined = sortBy
    ? (rows) => sortByPath(rows, sortBy, ({ object }) => object)
    : undefined;
  const feeds: { target: Target; feed: LiveFeed }[] = [];
  for (const group of groupByType(targets)) {
    const [first] = group;
    if (first === undefined) continue;
    const table = new LiveTable(sort);
    tables.push(table);
    const options = await tableOptions(run, first, showsKind);
    for (const target of group) {
      feeds.push({ target, feed: new LiveFeed({ table, options, target, watchOnly, clock: ctl.io.clock }) });
    }
  }
  return feeds;
}

interface Following {
  readonly run: TableRun;
  readonly signal: AbortSignal;
  readonly showNotice: (notice: string) => void;
}

async function followInto(
  feed: LiveFeed,
  target: Target,
  { run, signal, showNotice }: Following,
): Promise<void> {
  const { ctl, call } = run;
  const { clock } = ctl.io;
  const seen = followTarget(await ctl.client(), target, {
    ...tableRequest(run),
    chunkSize: call.options.chunkSize,
    signal,
    outlives: { clock, endsAfterTimeout: ctl.flags.requestTimeout !== '0' },
  });
  for await (const one of seen) {
    if (one.kind === 'lost') {
      showNotice(toCellText(`trying again: ${formatError(one.error).trim()}`));
      continue;
    }
    feed.take(one);
    if (one.kind !== 'page') showNotice('');
  }
}

/** A process in the background would draw into what others show. Only some systems tell; elsewhere it is believed to be in front. */
function isInForeground(): boolean {
  let text: string;
  try {
    text = readFileSync('/proc/self/stat', 'latin1');
  } catch {
    return true;
  }
  // The name in the second field may hold anything; behind it come state, parent, group, session, terminal and its group.
  const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
