import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../base/index.ts';
import { readSystemFile } from '../node/index.ts';

/** Which machine's control groups, and who is told. */
export interface MemoryNoticesOptions {
  /** Root folder of the machine; another one is for tests. */
  readonly root: string;
  /** Memory of a watched group has crossed a mark, or met its limit. */
  readonly onNotice: () => void;
  readonly logger: Logger;
}

/** Folder of control groups below the machine's root folder. */
const mount = 'sys/fs/cgroup';
/** Number of the system call `eventfd2` by architecture; Node.js has no function for it. */
const eventfd2: Readonly<Record<string, number>> = {
  x64: 290,
  arm64: 19,
  riscv64: 19,
  arm: 356,
  ppc64: 314,
  s390x: 323,
};

/**
 * Arms one event for each group: a line on standard input has the group's folder and marks, a line on standard output the
 * folder of a group that crossed one. Source: the kernel's `Documentation/admin-guide/cgroup-v1/memory.rst`, section 9.
 */
const helperScript = `
use strict; $| = 1;
my ($call) = @ARGV; my %events; my $input = '';
sub arm {
  my ($folder, @marks) = @_;
  delete $events{$folder};
  open(my $usage, '<', "$folder/memory.usage_in_bytes") or return;
  my $number = syscall($call, 0, 0);
  die "eventfd2: $!\\n" if $number < 0;
  open(my $event, '+<&=', $number) or die "eventfd2: $!\\n";
  for my $mark (@marks) {
    open(my $control, '>', "$folder/cgroup.event_control") or die "$folder: $!\\n";
    print {$control} $number . ' ' . fileno($usage) . " $mark";
    close($control) or die "$folder: $!\\n";
  }
  $events{$folder} = [$event, $usage];
}
for (;;) {
  my $ready = '';
  vec($ready, $_, 1) = 1 for 0, map { fileno($_->[0]) } values %events;
  next if select($ready, undef, undef, undef) < 0;
  for my $folder (keys %events) {
    my $event = $events{$folder}[0];
    next unless vec($ready, fileno($event), 1);
    sysread($event, my $count, 8);
    print "$folder\\n";
  }
  next unless vec($ready, 0, 1);
  sysread(STDIN, $input, 65536, length $input) or exit;
  while ($input =~ s/^(.*)\\n//) { arm(split /\\t/, $1); }
}
`;

/**
 * Notices of the kernel that memory is running out (`--kernel-memcg-notification`), so that nobody has to wait for the
 * next look. With version 1 of control groups the usage of a group crosses a mark; a small process of Perl waits for that.
 * With version 2, which has no such marks, the counters of a group that met its limit change.
 */
export class MemoryNotices implements Disposable {
  readonly #options: MemoryNoticesOptions;
  readonly #marks = new Map<string, string>();
  readonly #watchers = new Map<string, FSWatcher>();
  #helper: ChildProcessWithoutNullStreams | undefined;
  #isClosed = false;

  constructor(options: MemoryNoticesOptions) {
    this.#options = options;
  }

  /** Has a group tell when its memory crosses these bytes, instead of those before. Never rejects. */
  async watch(group: string, marks: readonly number[]): Promise<void> {
    const { root } = this.#options;
    const first = join(root, mount, 'memory', group);
    const hasMarks = (await readSystemFile(join(first, 'memory.usage_in_bytes'))) !== '';
    if (this.#isClosed) return;
    if (hasMarks) this.#arm(first, marks);
    else this.#follow(join(root, mount, group, 'memory.events'));
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#helper?.kill();
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #arm(folder: string, marks: readonly number[]): void {
    const text = marks.map((bytes) => Math.max(0, Math.trunc(bytes))).join('\t');
    if (this.#marks.get(folder) === text) return;
    this.#marks.set(folder, text);
    this.#helper ??= this.#startHelper();
    this.#helper.stdin.write(`${folder}\t${text}\n`);
  }

  #startHelper(): ChildProcessWithoutNullStreams {
    const { onNotice, logger } = this.#options;
    const helper = spawn('perl', ['-e', helperScript, String(eventfd2[process.arch] ?? 290)]);
    let words = '';
    helper.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(0, 1000);
    });
    helper.stdin.on('error', () => {}); // it has ended, which is told below
    helper.stdout.on('data', onNotice);
    const tell = (error: unknown): void => {
      if (!this.#isClosed)
        logger.error('kernel memory notices end, memory is looked at in periods', { error });
    };
    helper.once('error', tell);
    helper.once('close', (code) => code !== null && tell(words.trim() || `perl ended with code ${code}`));
    return helper;
  }

  #follow(path: string): void {
    if (this.#watchers.has(path)) return;
    const { onNotice, logger } = this.#options;
    try {
      const watcher = watch(path, onNotice);
      watcher.on('error', () => this.#forget(path));
      this.#watchers.set(path, watcher);
    } catch (error) {
      logger.debug('no memory events of group yet', { path, error });
    }
  }

  #forget(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
  }
}
