import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { differences, matches } from './matching.ts';
import { readPath } from './read-path.ts';
import type { Condition, Expectation, RecordedEvent, Recording, Step } from './recording.ts';
import type { Subject } from './subject.ts';

export interface PlayOptions {
  readonly recording: Recording;
  readonly subject: Subject;
  /** Folder with the recordings' manifests. */
  readonly directory: string;
  /** Folder of the case on this machine, `{workdir}` in recordings. */
  readonly workdir: string;
  /** Texts of places that recordings name otherwise. */
  readonly places: Readonly<Record<string, string>>;
}

const pollMs = 200;
const defaultTimeoutSeconds = 60;
/** Events are written behind pods' backs. */
const eventsWithinMs = 10_000;

/** Plays one case. Gives what was not as recorded; nothing when all was. */
export async function playCase(options: PlayOptions): Promise<string[]> {
  const { recording, subject, workdir } = options;
  const inPlace = (text: string): string => putInPlace(text, options);
  for (const command of recording.hostSetup ?? []) await shell(inPlace(command), workdir);
  for (const object of recording.objects ?? []) await subject.apply(object);
  const player = new Player(options, inPlace);
  for (const step of recording.steps) {
    const problems = await player.play(step);
    if (problems.length > 0) return problems;
  }
  return [];
}

class Player {
  readonly #options: PlayOptions;
  readonly #inPlace: (text: string) => string;
  #uid: unknown;

  constructor(options: PlayOptions, inPlace: (text: string) => string) {
    this.#options = options;
    this.#inPlace = inPlace;
  }

  async play(step: Step): Promise<string[]> {
    const { recording, subject, directory } = this.#options;
    const fileName = recording.fileName ?? `${recording.name}.yaml`;
    if (step.put !== undefined) {
      this.#uid = readPath(await subject.pod(recording.pod), 'metadata.uid');
      await subject.put(fileName, this.#inPlace(await readFile(join(directory, step.put), 'utf8')));
    }
    if (step.remove) await subject.remove(fileName);
    if (step.urlGone) subject.urlGone();
    if (step.delete !== undefined) await subject.delete(recording.pod, step.delete);
    if (step.apply !== undefined) await subject.apply(step.apply);
    if (step.seconds !== undefined) await sleep(step.seconds * 1000);
    if (step.wait !== undefined) {
      const missing = await this.#waitFor(step.wait, step.timeout ?? defaultTimeoutSeconds);
      if (missing.length > 0) return missing.map((text) => `${step.observe ?? 'wait'}: ${text}`);
    }
    if (step.expect === undefined) return [];
    // What was waited for may come a moment before what belongs to it.
    let problems: string[] = [];
    const untilMs = Date.now() + 2000;
    do {
      problems = await this.#compare(step, step.expect);
      if (problems.length > 0) await sleep(pollMs);
    } while (problems.length > 0 && Date.now() < untilMs);
    return problems.map((text) => `${step.observe ?? ''}${text}`);
  }

  async #waitFor(conditions: readonly Condition[], timeoutSeconds: number): Promise<string[]> {
    const untilMs = Date.now() + timeoutSeconds * 1000;
    for (;;) {
      const pod = await this.#options.subject.pod(this.#options.recording.pod).catch(() => undefined);
      const missing: string[] = [];
      for (const condition of conditions) {
        const isMet = await this.#isMet(condition, pod).catch(() => false);
        if (!isMet) missing.push(JSON.stringify(condition));
      }
      if (missing.length === 0) return [];
      if (Date.now() > untilMs)
        return [`never came: ${missing.join(', ')}; status ${JSON.stringify(readPath(pod, 'status'))}`];
      await sleep(pollMs);
    }
  }

  async #isMet(condition: Condition, pod: unknown): Promise<boolean> {
    const { subject, recording, workdir } = this.#options;
    const { has = '' } = condition;
    if (condition.gone) return pod === undefined;
    if (condition.newUid) return pod !== undefined && readPath(pod, 'metadata.uid') !== this.#uid;
    if (condition.event !== undefined) {
      const events = await subject.events(recording.pod);
      return events.some(({ reason, message }) => reason === condition.event && message.includes(has));
    }
    if (condition.log !== undefined) {
      const log = await subject.log(condition.pod ?? recording.pod, condition.log, false);
      return log.includes(has);
    }
    if (condition.hostFile !== undefined) {
      return (await readFile(join(workdir, condition.hostFile), 'utf8')).includes(has);
    }
    const subjectPod = condition.pod === undefined ? pod : await subject.pod(condition.pod);
    const value = readPath(subjectPod, condition.path ?? '');
    if (condition.exists !== undefined) return (value !== undefined) === condition.exists;
    if (condition.min !== undefined) return Number(value) >= condition.min;
    if (condition.has !== undefined) return String(value).includes(has);
    return value === condition.is;
  }

  async #compare(step: Step, expect: Expectation): Promise<string[]> {
    const { recording, subject, workdir } = this.#options;
    const { pod: name, atLeast = [] } = recording;
    const wanted = JSON.parse(this.#inPlace(JSON.stringify(expect))) as Expectation;
    const problems: string[] = [];
    const check = (what: string, expected: unknown, actual: unknown): void => {
      problems.push(...differences(expected, actual, atLeast, `/${what}`));
    };
    if ('pod' in wanted) check('pod', wanted.pod, normalise(await subject.pod(name)));
    for (const other of step.readPods ?? []) {
      check(other, wanted.pods?.[other], normalise(await subject.pod(other)));
    }
    for (const container of step.readLogs ?? []) {
      const log = comparable(await subject.log(name, container, false));
      check(`log ${container}`, comparable(wanted.logs?.[container] ?? ''), log);
    }
    for (const container of step.readPrevious ?? []) {
      check(
        `previous log ${container}`,
        wanted.previousLogs?.[container],
        await subject.log(name, container, true),
      );
    }
    for (const file of step.readHostFiles ?? []) {
      check(file, wanted.hostFiles?.[file], await readFile(join(workdir, file), 'utf8').catch(() => null));
    }
    for (const [key, command] of Object.entries(step.readHostRun ?? {})) {
      check(key, wanted.hostRun?.[key], await shell(this.#inPlace(command), workdir));
    }
    if (problems.length > 0 || wanted.events === undefined || recording.deliver === 'file') return problems;
    return this.#missingEvents(wanted.events);
  }

  async #missingEvents(expected: readonly RecordedEvent[]): Promise<string[]> {
    const untilMs = Date.now() + eventsWithinMs;
    for (;;) {
      const events = await this.#options.subject.events(this.#options.recording.pod);
      const missing = expected.filter((each) => !events.some((event) => isSameEvent(each, event)));
      if (missing.length === 0) return [];
      if (Date.now() > untilMs) {
        const found = events.map((event) => JSON.stringify(event)).join('\n      ');
        return missing.map((event) => `/events: missing ${JSON.stringify(event)}, found\n      ${found}`);
      }
      await sleep(pollMs);
    }
  }
}

function isSameEvent(expected: RecordedEvent, { type, reason, fieldPath, message }: RecordedEvent): boolean {
  return (
    expected.type === type &&
    expected.reason === reason &&
    expected.fieldPath === fieldPath &&
    matches(expected.message, message)
  );
}

/** As recordings have pods: without what says who wrote which field and what kind it is. */
function normalise(pod: unknown): unknown {
  if (pod === undefined) return null;
  const { apiVersion: _, kind: __, metadata, ...rest } = pod as Record<string, unknown>;
  const { managedFields: ___, selfLink: ____, ...kept } = metadata as Record<string, unknown>;
  return { metadata: kept, ...rest };
}

/** Options of a resolv.conf come in any order; the images of the tests set a variable that the recorded ones did not. */
function comparable(log: string): string {
  return log
    .replace(/^FROM_IMAGE(=yes)?\n/gm, '')
    .replace(/^options (.*)$/gm, (_, list: string) => `options ${list.split(' ').sort().join(' ')}`);
}

function putInPlace(text: string, { workdir, places }: PlayOptions): string {
  let result = text.replaceAll('{workdir}', workdir);
  for (const [name, place] of Object.entries(places)) result = result.replaceAll(name, place);
  return result;
}

async function shell(command: string, cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd });
  return stdout;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
